"""Pages of the site that Scripts/docs makes: HTML from what `docc convert` writes, and from programs."""
import html
import re

KEYWORDS = set(
    "actor any as associatedtype async await borrowing break case catch class consuming continue default defer deinit do else enum "
    "extension fallthrough false fileprivate final for func get guard if import in indirect init inout internal is isolated "
    "lazy let macro mutating nil nonisolated nonmutating open operator override package private protocol public repeat return self "
    "Self sending set some static struct subscript super switch throw throws true try typealias unowned var weak where while "
    "willSet didSet yield".split())
SWIFT = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>#*"""(?:.|\n)*?"""#*|#*"(?:\\.|[^"\\\n])*"#*)|(?P<number>\b\d\w*(?:\.\d\w*)?)'
    r"|(?P<word>[@#]?\b[A-Za-z_]\w*)", re.S)
SHELL = re.compile(r"(?P<comment>(?:^|(?<=\s))#[^\n]*)|(?P<string>\"[^\"\n]*\"|'[^'\n]*')", re.M)

# Symbols with a page of their own. Others are sections of the page of the symbol that they belong to.
TYPES = {"class", "struct", "enum", "protocol", "actor", "module"}
escape = html.escape


def slug(text):
    """The anchor of a heading, as on GitHub."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def highlighted(code, language):
    """Code as HTML."""
    pattern = {"swift": SWIFT, "sh": SHELL, "bash": SHELL}.get(language)
    if not pattern:
        return escape(code)
    parts, end = [], 0
    for match in pattern.finditer(code):
        kind, text = match.lastgroup, match.group()
        if kind == "word":
            kind = "keyword" if text in KEYWORDS or text[0] in "@#" else "type" if text[0].isupper() else None
        parts.append(escape(code[end:match.start()]))
        parts.append(f'<span class="{kind}">{escape(text)}</span>' if kind else escape(text))
        end = match.end()
    return "".join(parts) + escape(code[end:])


class Renderer:
    """HTML of the parts of a page of docc.

    `link` returns the address of a reference, or None if it has no page. `diagrams` draws marble diagrams.
    """

    def __init__(self, references, link, diagrams):
        self.references = references
        self.diagrams = diagrams
        self.link = link
        self.headings = []

    def inline(self, nodes):
        return "".join(self.inline_node(node) for node in nodes or [])

    def inline_node(self, node):
        kind = node["type"]
        if kind == "text":
            return escape(node["text"], quote=False)
        if kind == "codeVoice":
            return f"<code>{escape(node['code'], quote=False)}</code>"
        if kind in ("emphasis", "strong"):
            tag = {"emphasis": "em", "strong": "strong"}[kind]
            return f"<{tag}>{self.inline(node['inlineContent'])}</{tag}>"
        if kind == "reference":
            reference = self.references.get(node["identifier"], {})
            title = node.get("overridingTitleInlineContent") or reference.get("titleInlineContent")
            text = self.inline(title) if title else f"<code>{escape(reference.get('title', ''))}</code>"
            return self.anchor(self.link(reference) if node.get("isActive", True) else None, text)
        if kind == "image":
            reference = self.references[node["identifier"]]
            source = escape(self.link({"url": reference["variants"][0]["url"]}))
            return f'<img src="{source}" alt="{escape(reference.get("alt") or "")}" loading="lazy">'
        raise ValueError(f"There is no form for the text {node}.")

    @staticmethod
    def anchor(address, text):
        return f'<a href="{escape(address)}">{text}</a>' if address else text

    def blocks(self, nodes, level=0):
        """HTML of blocks. Headings are lower by a number of levels."""
        return "\n".join(self.block(node, level) for node in nodes or [])

    def block(self, node, level):
        kind = node["type"]
        if kind == "paragraph":
            return f"<p>{self.inline(node['inlineContent'])}</p>"
        if kind == "heading":
            size = min(6, node["level"] + level)
            if level:
                return f"<h{size}>{escape(node['text'])}</h{size}>"
            anchor = slug(node["text"])
            self.headings.append((size, anchor, node["text"]))
            return f'<h{size} id="{anchor}"><a class="here" href="#{anchor}">{escape(node["text"])}</a></h{size}>'
        if kind == "codeListing":
            # Markdown takes diagrams and the example after them for one block.
            parts, pictures = "\n".join(node["code"]).split("\n\n"), ""
            while parts and parts[0] in self.diagrams:
                pictures += self.diagrams.picture(parts.pop(0))
            return pictures + (self.listing("\n\n".join(parts), node.get("syntax")) if parts else "")
        if kind in ("unorderedList", "orderedList"):
            tag = "ul" if kind == "unorderedList" else "ol"
            items = "".join(f"<li>{self.blocks(item['content'], level)}</li>" for item in node["items"])
            return f"<{tag}>{items}</{tag}>"
        if kind == "table":
            return self.table(node, level)
        if kind == "aside":
            return f'<aside><strong>{escape(node.get("name", ""))}</strong>{self.blocks(node["content"], level)}</aside>'
        raise ValueError(f"There is no form for the block {node}.")

    @staticmethod
    def listing(code, language):
        # It can be scrolled by keys.
        return f'<pre tabindex="0"><code>{highlighted(code, language or "swift")}</code></pre>'

    def table(self, node, level):
        alignments = node.get("alignments") or []
        rows = []
        for index, row in enumerate(node["rows"]):
            tag = "th" if index == 0 and node.get("header") in ("row", "both") else "td"
            cells = ""
            for column, cell in enumerate(row):
                side = alignments[column] if column < len(alignments) else "unset"
                style = f' class="{side}"' if side in ("right", "center") else ""
                text = self.blocks(cell, level)
                # A paragraph alone needs no element.
                text = re.sub(r"^<p>((?:(?!</p>).)*)</p>$", r"\1", text, flags=re.S)
                cells += f"<{tag}{style}>{text}</{tag}>"
            rows.append(f"<tr>{cells}</tr>")
        return f'<div class="table" tabindex="0"><table>{"".join(rows)}</table></div>'

    def declaration(self, section):
        parts = []
        for token in section["declarations"][0]["tokens"]:
            text = escape(token["text"], quote=False)
            kind = {"keyword": "keyword", "attribute": "keyword", "typeIdentifier": "type", "number": "number", "string": "string"}.get(
                token["kind"])
            if token["kind"] == "typeIdentifier":
                text = self.anchor(self.link({"identifier": token.get("identifier"), "usr": token.get("preciseIdentifier")}), text)
            parts.append(f'<span class="{kind}">{text}</span>' if kind else text)
        return f'<pre class="declaration" tabindex="0"><code>{"".join(parts)}</code></pre>'

    def symbol(self, data, level):
        """The declaration and the documentation of a symbol."""
        parts = []
        sections = data.get("primaryContentSections", [])
        parts += [self.declaration(section) for section in sections if section["kind"] == "declarations"]
        if data.get("abstract"):
            parts.append(f"<p>{self.inline(data['abstract'])}</p>")
        for section in sections:
            if section["kind"] == "parameters":
                rows = "".join(
                    f"<dt><code>{escape(parameter['name'])}</code></dt><dd>{self.blocks(parameter['content'], level)}</dd>"
                    for parameter in section["parameters"])
                parts.append(f"<dl>{rows}</dl>")
            elif section["kind"] == "content":
                content = section["content"]
                # Headings that docc adds.
                if content and content[0].get("text") in ("Overview", "Discussion"):
                    content = content[1:]
                parts.append(self.blocks(content, level))
        return "\n".join(part for part in parts if part)


def page(path, title, body, headings=(), navigation="", description=""):
    """A whole page. The path is relative to the root of the site."""
    root = "../" * path.count("/")
    contents = ""
    if len(headings) > 2:
        # Of overloads, the first one is listed.
        listed = [heading for heading, before in zip(headings, [None, *headings]) if not before or heading[2] != before[2]]
        links = "".join(f'<li class="l{size}"><a href="#{escape(anchor)}">{escape(text)}</a></li>' for size, anchor, text in listed)
        contents = f'<nav class="contents" aria-label="On this page"><p>On this page</p><ul>{links}</ul></nav>'
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="{escape(description)}">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{root}style.css">
<script src="{root}search.js" data-root="{root}" defer></script>
</head>
<body>
<a class="skip" href="#page">Skip to the text</a>
<header><a class="home" href="{root}index.html">Runnel</a>
<search id="search" hidden><input type="search" placeholder="Search" aria-label="Search symbols and guides" autocomplete="off">
<ul></ul></search></header>
<div class="columns">
<details class="navigation" open><summary>Contents</summary>{navigation.replace('href="', f'href="{root}')}</details>
<main id="page">
{body}
</main>
{contents}
</div>
</body>
</html>
"""
