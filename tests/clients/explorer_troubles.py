"""What may go wrong around the explorer: answers that are none, late ones, fast hands, odd texts.

Steps of explorer.py. Each is called with the page and the server, and checks.
"""

import json
import subprocess
import tempfile
import urllib.parse

from browser import Browser
from explorer_page import DONE, arrive, check, choose, click, field, reach, text_of, type_into, value_of

TABLE = "#/v1/sinusoidal?length=8&dim=8"
PROBLEM = "application/problem+json"
NOTHING_ASKED = "document.querySelector('#problem').textContent === ''"

# What a table's request meets, what is told of it, and whether another try is offered.
REFUSALS = (
    ("fail", "The server cannot be reached", True),
    ((502, "text/html", "<html><head><style>h1{}</style></head><h1>Bad Gateway</h1></html>"), "Bad Gateway", True),
    ((200, "text/html; charset=utf-8", "<title>Sign in</title>"), "Sign in", False),
    ((429, "application/json", '{"message": "slow down"}'), "slow down", True),
    ((503, PROBLEM, '{"title": "too busy", "status": 503, "detail": "Come again."}'), "Come again.", True),
    ((413, PROBLEM, '{"title": "too large", "status": 413, "detail": "See limit.", "limit": 4711}'), "Limit 4711", False),
    ((200, "application/vnd.safetensors", "short"), "could not be read", True),
)


def set_field(page, name, text):
    """All at once, as pasting does."""
    page.evaluate(f"""(() => {{ const node = document.querySelector({json.dumps(field(name))}); node.focus();
        node.value = {json.dumps(text)}; node.dispatchEvent(new Event('input', {{bubbles: true}})); }})()""")


def try_refusals(page, server):
    for answer, told, can_retry in REFUSALS:
        page.intercept(lambda request: answer if "/v1/sinusoidal" in request["url"] else None)
        arrive(page, server, TABLE, f"an answer of {answer} comes")
        shown = text_of(page, "#problem")
        check(f"{answer} is told", told in shown, shown)
        check(f"{answer} is told in words", "<" not in shown and "h1{" not in shown, shown)
        page.intercept()
        check(f"another try at {answer}", click(page, "Try again", "#problem") == can_retry, shown)
        if can_retry:
            reach(page, "may do", f"{NOTHING_ASKED} && document.querySelector('.picture img')?.naturalWidth > 100")
    page.intercept(lambda request: (503, PROBLEM, '{"title": "too busy", "status": 503, "detail": "Come again."}')
                   if "format=png" in request["url"] else None)
    arrive(page, server, TABLE, "a picture is refused")
    check("for now", click(page, "Try again", "#problem"), text_of(page, "#problem"))
    page.intercept(lambda request: "fail" if request["url"].endswith(("/v1/models", "/version")) else None)
    page.open("about:blank")
    page.open(server.base + "/" + TABLE)
    page.wait("document.querySelector('#problem button') !== null")
    check("a catalogue that does not come is told", "cannot be reached" in (text_of(page, "#problem") or ""))
    page.intercept(lambda request: "fail" if request["url"].endswith("/version") else None)
    click(page, "Try again", "#problem")
    reach(page, "and asked for again", "document.querySelector('.picture img')?.naturalWidth > 100")
    check("a version that does not come is no problem", page.evaluate(NOTHING_ASKED), text_of(page, "#problem"))
    page.intercept()


def try_late_answers(page, server):
    arrive(page, server, TABLE, "a table opens")
    page.intercept(lambda request: "hold" if "dim=16" in request["url"] else None)
    set_field(page, "dim", "16")
    check("an answer is late", page.wait("location.hash.endsWith('dim=16')") and page.wait("true"))
    set_field(page, "dim", "24")
    reach(page, "the next one is shown", "document.getElementById('status').textContent.includes('[8, 24]')")
    page.release()
    check("and stays", page.wait(DONE) and "[8, 24]" in text_of(page, "#status"), text_of(page, "#status"))
    arrive(page, server, "#/v1/rope?length=8&dim=64", "rope opens")
    page.intercept(lambda request: "hold" if "/v1/models/llama" in request["url"] else None)
    page.evaluate(f"""(() => {{ const node = document.querySelector({json.dumps(field("model"))});
        node.value = 'llama-3.1-8b'; node.dispatchEvent(new Event('change')); }})()""")
    set_field(page, "length", "9")
    reach(page, "an edit is shown while a model is looked up", "location.hash === '#/v1/rope?length=9&dim=64'")
    page.release()
    reach(page, "both are taken", "location.hash === '#/v1/rope?length=9&model=llama-3.1-8b'")
    page.intercept()


def try_late_download(page, server):
    apply = "#/v1/rope/apply?layout=half&x=" + urllib.parse.quote("[[1,2,3,4]]")
    arrive(page, server, apply, "apply opens")
    page.intercept(lambda request: "hold" if request["method"] == "POST" else None)
    click(page, "npy", ".downloads")
    page.evaluate(f"location.hash = {json.dumps(TABLE)}")
    reach(page, "one looks at something else", "document.getElementById('status').textContent.includes('[8, 8]')")
    check("while a download takes its time", len(page.held) == 1, page.held)
    page.release((503, PROBLEM, '{"title": "too busy", "status": 503, "detail": "Come again."}'))
    check("its refusal is heard", page.wait("performance.getEntriesByType('resource').some((one) => one.responseStatus === 503)"))
    check("and is no problem of the other", page.evaluate(NOTHING_ASKED), text_of(page, "#problem"))
    page.intercept()


def try_late_refusal(server):
    """Two requests without a token; the second refusal comes when the token has been given."""
    refusal = (401, PROBLEM, '{"title": "unauthorized", "status": 401, "detail": "A token, please."}')

    def ask_for_token(request):
        if "/v1/" not in request["url"] or "Authorization" in request["headers"]:
            return None
        return "hold" if request["url"].endswith("/v1/models") else refusal

    with Browser() as page:
        page.intercept(ask_for_token)
        page.open(server.base + "/" + TABLE)
        check("a token is asked for", page.wait("document.getElementById('token')?.hidden === false"))
        page.evaluate("document.getElementById('token-text').focus()")
        page.text("any")
        page.evaluate("document.querySelector('#token button').click()")
        reach(page, "with it the page opens", "document.querySelector('.picture img')?.naturalWidth > 100")
        page.release(refusal)
        check("the second refusal arrives", page.wait(
            "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/v1/models')).length === 2"))
        check("and asks for nothing", page.evaluate("document.getElementById('token').hidden"))


def try_fast_hands(page, server):
    """More edits than a browser lets a page write addresses."""
    arrive(page, server, TABLE, "a table opens")
    page.evaluate(f"document.querySelector({json.dumps(field('offset'))}).focus()")
    for _ in range(220):
        page.text("1")
        page.key("Backspace", 8)
    page.text("7")
    reach(page, "what was typed last is asked for", f"location.hash === '{TABLE}&offset=7'")
    check("and stands there", value_of(page, "offset") == "7", value_of(page, "offset"))
    check("nobody complained", not page.troubles, page.troubles)


def try_focus(page, server):
    arrive(page, server, "#/v1/rope?length=8&dim=8&scaling.rope_type=linear", "a dictionary opens")
    type_into(page, "scaling.factor", "4")
    reach(page, "a member is typed in", "location.hash.endsWith('scaling.factor=4')")
    check("and keeps the focus", page.evaluate("document.activeElement.name") == "scaling.factor")
    page.evaluate("document.querySelector('.tensors [name=sin]').focus()")
    click(page, "sin 8 × 4", ".tensors")
    reach(page, "another tensor is chosen", "document.getElementById('status').textContent.startsWith('sin: ')")
    check("and keeps the focus, too", page.evaluate("document.activeElement.textContent") == "sin 8 × 4")
    page.evaluate("""(() => { const button = document.querySelector('.copy'), word = button.querySelector('[aria-live]');
        window.said = []; new MutationObserver(() => window.said.push(word.textContent)).observe(word, {childList: true});
        button.focus(), button.click(); })()""")
    check("what was copied says so", page.wait("window.said.length > 0")
          and page.evaluate("window.said[0]") in ("Copied", "Select it"), page.evaluate("window.said"))
    check("its button keeps the focus", page.wait("document.activeElement.className === 'copy'"))
    arrive(page, server, "#/v1/sinusoidal?length=8&dim=8&layout=wavy", "a wrong choice opens")
    page.evaluate("""document.querySelector('[data-name="layout"] .fixes button').focus()""")
    click(page, "cos_sin", '[data-name="layout"]')
    reach(page, "a right one is pressed", "location.hash.endsWith('layout=cos_sin')")
    check("and the focus is at its field", page.evaluate("document.activeElement.name") == "layout")


def try_odd_addresses(page, server):
    arrive(page, server, "#/v1/rope?length=8&dim=8&preset=wavy", "a preset that there is not is asked for")
    check("and seen", value_of(page, "Preset") == "wavy", value_of(page, "Preset"))
    arrive(page, server, "#/v1/analysis/similarity?length=8&dim=8", "a quantity of no encoding is asked for")
    check("and none is chosen", value_of(page, "Encoding") == "", value_of(page, "Encoding"))
    choose(page, "Encoding", "sinusoidal")
    reach(page, "one can be", f"location.hash.includes('encoding=sinusoidal') && {NOTHING_ASKED}")
    page.evaluate(f"""(() => {{ const node = document.querySelector({json.dumps(field("model"))});
        node.value = 'llama-3.1-8b'; node.dispatchEvent(new Event('change')); }})()""")
    reach(page, "a model of an encoding that has no such quantity is refused",
          "location.hash.startsWith('#/v1/analysis/similarity?') && document.querySelector('#problem > *')")
    arrive(page, server, "#/v1/rope?length=8&dim=8&head_dim=16", "two names of one parameter are asked for")
    check("and neither is lost", text_of(page, "#problem") != "" and value_of(page, "head_dim") == "16")
    arrive(page, server, "#/v1/none?model=llama-3.1-8b", "a parameter that others have is asked for")
    check("and can be taken away", value_of(page, "model") == "llama-3.1-8b", text_of(page, "#problem"))
    arrive(page, server, TABLE + "&offset=9007199254740993", "a number of 54 bits is asked for")
    check("digit by digit", "'9007199254740993'" in text_of(page, "#problem"), text_of(page, "#problem"))
    arrive(page, server, "#/v1/sinusoidal?length=3&dim=65536", "a wide table opens")
    told = page.evaluate("document.querySelector('.scroll').parentNode.lastChild.textContent")
    check("with numbers", told == "3 of 3 rows, 10 of 65536 columns.", told)
    arrive(page, server, "#/v1/rope/apply?layout=half&x=%5B%5B1,2%5D%5D&scaling=%7B%7D&scaling.factor=4", "a member beside its whole is asked for")
    check("and refused", "scaling" in text_of(page, "#problem .link"), text_of(page, "#problem"))
    check("what is required is no default", page.evaluate(
        "[...document.querySelectorAll('option')].every((one) => !/^required.*default/.test(one.textContent))"))
    arrive(page, server, TABLE + "&layout=wavy", "a wrong choice is asked for")
    check("and the right ones are said to be allowed", text_of(page, "#problem .fixes").startswith("allowed:"))
    for target, count in ((TABLE, 6), (TABLE + "&dtype=bfloat16", 5), ("#/v1/none", 2)):
        arrive(page, server, target, f"{target} opens")
        hrefs = page.evaluate("[...document.querySelectorAll('.downloads a')].map((one) => one.getAttribute('href'))")
        check(f"{target} can be taken along in {count} ways", len(hrefs) == count
              and all(server.ask("GET", href).status == 200 for href in hrefs), hrefs)
    arrive(page, server, "#/v1/rope/apply?layout=half&x=%5B%5B1,2%5D%5D", "a tensor is asked for")
    page.evaluate("""(() => { const box = document.querySelector('[data-name="x"] .filler');
        box.querySelector('input').value = '4096, 4096'; box.querySelector('button').click(); })()""")
    check("one of too many numbers is refused", "at most" in text_of(page, '[data-name="x"] .error'))


def try_curl(page, server):
    """Texts that a terminal or a shell would take for orders. DEL and CSI may stand in JSON as they are."""
    x = urllib.parse.quote('["\u007f\u009b\'",\n1]')
    arrive(page, server, f"#/v1/rope/apply?layout=half&x={x}", "a body of odd characters is asked for")
    check("and refused as it is", "\u007f\u009b\u0027" in text_of(page, "#problem"), text_of(page, "#problem"))
    command = page.evaluate(f"""import('/explorer/request.js').then(({{ buildRequest, curlOf }}) => curlOf(buildRequest(
        {{ methods: ['POST'], path: '/v1/rope/apply' }}, new Map(), new URLSearchParams('layout=half&x={x}')), false))""")
    check("no character of the command is one that a terminal obeys", command.isprintable(), repr(command))
    said = json.loads(subprocess.run(["sh", "-c", command], capture_output=True, check=True).stdout)
    check("and it asks the same", said["value"] == "\u007f\u009b'", said)


def try_files(page, server):
    """A config.json that is emptied, mistaken, opened, and opened again."""
    arrive(page, server, "#/v1/resolve", "the example opens")
    set_field_of_config(page, "")
    reach(page, "an emptied field is no problem", f"document.getElementById('status').textContent === 'No file yet' && {NOTHING_ASKED}")
    check("and stays empty", page.evaluate("document.getElementById('config').value") == "")
    set_field_of_config(page, '{"model_type": "ééé€", }')
    reach(page, "a comma too many is found", "document.querySelector('#problem button') !== null")
    click(page, "Show where", "#problem")
    check("where it is", page.evaluate("""(() => { const area = document.getElementById('config');
        return area.value.slice(area.selectionStart, area.selectionEnd); })()""") == "}")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        for model in ("llama", "qwen2"):
            file.seek(0)
            file.write(json.dumps({"model_type": model, "hidden_size": 64, "num_attention_heads": 4}).ljust(200) + "\r\n")
            file.flush()
            node = page.call("Runtime.evaluate", expression="document.getElementById('config-file')")["result"]
            page.call("DOM.setFileInputFiles", files=[file.name], objectId=node["objectId"])
            reach(page, f"a file of {model} is opened", f"document.getElementById('status').textContent.startsWith('{model} uses')")
    page.intercept(lambda request: "fail" if "/v1/resolve" in request["url"] else None)
    arrive(page, server, "#/v1/resolve", "a server is away")
    check("that is no fault of the file", not page.evaluate("document.getElementById('config').hasAttribute('aria-invalid')"))
    page.intercept()
    click(page, "Try again", "#problem")
    reach(page, "and may be over", "document.querySelectorAll('.use').length === 1")


def set_field_of_config(page, text):
    page.evaluate(f"""(() => {{ const node = document.getElementById('config');
        node.value = {json.dumps(text)}; node.dispatchEvent(new Event('input')); }})()""")


STEPS = (try_refusals, try_late_answers, try_late_download, try_fast_hands, try_focus, try_odd_addresses, try_curl, try_files)
