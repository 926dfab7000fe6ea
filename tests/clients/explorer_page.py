"""The explorer's page as a test holds it: what stands in it, what is typed and pressed, and when it is done."""

import json

from running import Checks

checks = Checks()
check = checks.check

# The page is done when nothing is being asked for, and it says something, which is of the address that
# stands there: after a step back the address is another one before the page hears of it.
DONE = """document.getElementById('answer') && !document.getElementById('answer').hasAttribute('aria-busy')
    && document.getElementById('answer').dataset.of === location.hash
    && document.querySelector('#result > *, #problem > *') !== null
    && [...document.images].every((image) => image.complete)"""


def text_of(page, selector):
    return page.evaluate(f"document.querySelector({json.dumps(selector)})?.textContent")


def field(name):
    return f'[data-name="{name}"] :is(input, select, textarea)'


def value_of(page, name):
    return page.evaluate(f"document.querySelector({json.dumps(field(name))})?.value")


def reach(page, what, condition):
    """Waits for the condition and for the page to be done; a check of its own."""
    reached = page.wait(f"({condition}) && ({DONE})")
    check(what, reached, page.evaluate("location.hash + ' ' + document.body.innerText.slice(0, 600)"))
    return reached


def type_into(page, name, text):
    """Takes the place of what stands there, by keys."""
    page.evaluate(f"document.querySelector({json.dumps(field(name))}).focus(), "
                  f"document.querySelector({json.dumps(field(name))}).select()")
    if text:
        page.text(text)
    else:
        page.key("Delete", 46)


def click(page, text, within="body"):
    """Clicks the button or link that says so; false where there is none."""
    return page.evaluate(f"""[...document.querySelectorAll({json.dumps(within + " :is(a, button, summary)")})]
        .filter((node) => node.textContent.trim() === {json.dumps(text)}).slice(0, 1)
        .map((node) => node.click()).length === 1""")


def choose(page, name, value):
    page.evaluate(f"""(() => {{ const node = document.querySelector({json.dumps(field(name))});
        node.value = {json.dumps(value)}; node.dispatchEvent(new Event('change', {{bubbles: true}})); }})()""")


def reload(page):
    """The page that goes must not be taken for the one that comes."""
    page.evaluate("window.goes = true")
    page.call("Page.reload")
    check("the page is loaded again", page.wait("document.readyState === 'complete' && window.goes === undefined"))


def arrive(page, server, hash_text, what):
    page.open("about:blank")
    page.open(server.base + "/" + hash_text)
    return reach(page, what, "true")
