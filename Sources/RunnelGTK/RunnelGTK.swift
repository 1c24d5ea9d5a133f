// The module is empty unless the trait GTK of the package is enabled, so that nothing else needs GTK.
