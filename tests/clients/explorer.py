"""Uses the explorer of a running posencd as a person would, in Chromium.

    python3 explorer.py POSENCD

starts that program on free ports, and needs chromium. What a step waits for is a condition, never a
time.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
import urllib.parse

from browser import Browser
from explorer_page import DONE, arrive, check, checks, choose, click, field, reach, reload, text_of, type_into, value_of
from explorer_troubles import STEPS, try_late_refusal
from running import Server

TOKEN = "a-token-to-try-0123456789"
WANT_WEIGHTS = {f"/v1/{name}/apply" for name in ("fire", "shaw", "swin", "t5", "transformer_xl")}
MARKUP = "<img src=x onerror=alert(1)>&amp;"
YARN = ("#/v1/rope?length=32&dim=16&scaling.rope_type=yarn&scaling.factor=4"
        "&scaling.original_max_position_embeddings=64&tensor=sin")
GEMMA = {"model_type": "gemma3_text", "hidden_size": 1152, "num_attention_heads": 4, "head_dim": 256,
         "num_hidden_layers": 6, "sliding_window_pattern": 6, "rope_theta": 1000000}


def try_first_look(page, server):
    page.open(server.base + "/")
    reach(page, "the page opens with a result", "document.querySelector('.picture img')?.naturalWidth > 100")
    check("it begins with an encoding in its address",
          page.evaluate("location.hash").startswith("#/v1/"), page.evaluate("location.hash"))
    check("numbers are shown", page.evaluate("document.querySelectorAll('tbody tr').length") > 3)
    check("the echo is shown", "dim" in (text_of(page, "dl") or ""))
    names = [one["name"] for one in json.load(server.get("/v1/encodings"))["encodings"]]
    check("every encoding can be chosen",
          page.evaluate("[...document.querySelector('[name=Encoding]').options].map((one) => one.value)") == names)


def try_editing(page, server):
    page.open(server.base + "/#/v1/sinusoidal?length=40&dim=16")
    reach(page, "an address opens", "document.getElementById('status').textContent.includes('[40, 16]')")
    picture = page.evaluate("document.querySelector('.picture img').src")
    type_into(page, "dim", "24")
    reach(page, "typing changes the result", "document.getElementById('status').textContent.includes('[40, 24]')")
    check("and the address", page.evaluate("location.hash") == "#/v1/sinusoidal?length=40&dim=24")
    check("and the picture", page.evaluate("document.querySelector('.picture img').src") != picture)
    check("the focus stays", page.evaluate("document.activeElement.name") == "dim")
    check("the URL is told", text_of(page, ".line code") == f"{server.base}/v1/sinusoidal?length=40&dim=24",
          text_of(page, ".line code"))
    command = page.evaluate("document.querySelectorAll('.line code')[1].textContent")
    said = json.loads(subprocess.run(["sh", "-c", command], capture_output=True, check=True).stdout)
    check("the curl command asks the same", said["tensors"]["encoding"]["shape"] == [40, 24], command)
    choose(page, "layout", "sin_cos")
    reach(page, "a choice changes the address", "location.hash.endsWith('&layout=sin_cos')")
    check("what was set is marked", "layout" in page.evaluate(
        "[...document.querySelectorAll('dl .set dt')].map((node) => node.textContent)"))
    page.evaluate("history.back()")
    reach(page, "back takes the choice back", "!location.hash.includes('layout')")
    check("in the form, too", value_of(page, "layout") == "", value_of(page, "layout"))
    page.evaluate("history.back()")
    reach(page, "back takes all of the typing back at once", "location.hash === '#/v1/sinusoidal?length=40&dim=16'")
    check("and the result", "[40, 16]" in text_of(page, "#status"))
    page.evaluate("history.forward()")
    reach(page, "forward works", "document.getElementById('status').textContent.includes('[40, 24]')")
    reload(page)
    reach(page, "a reloaded page shows the same", "document.getElementById('status')?.textContent.includes('[40, 24]')")
    check("downloads are links", page.evaluate("[...document.querySelectorAll('.downloads a')].map((a) => a.getAttribute('href'))")
          == [f"/v1/sinusoidal?length=40&dim=24&format={name}" for name in ("npy", "safetensors", "csv", "json", "png", "svg")])


def try_tensors(page, server):
    arrive(page, server, YARN, "yarn opens")
    check("the tensor of the address is pressed", text_of(page, '[aria-pressed="true"]').startswith("sin "))
    check("members of a dictionary have fields", value_of(page, "scaling.factor") == "4")
    check("derived values are told", "attention_factor" in text_of(page, "#result"))
    click(page, "inv_freq 8", ".tensors")
    reach(page, "another tensor is chosen", "document.getElementById('status').textContent === 'inv_freq: float64 [8]'")
    check("its line is drawn", page.evaluate("document.querySelector('.picture img').naturalWidth") > 100)
    choose(page, "Encoding", "alibi")
    reach(page, "another encoding begins anew", "location.hash.startsWith('#/v1/alibi?')")
    choose(page, "Preset", "jina")
    reach(page, "a preset is taken", "location.hash.includes('preset=jina')")


def try_errors(page, server):
    arrive(page, server, "#/v1/sinusoidal?length=8&dim=8", "a table opens")
    type_into(page, "dim", "0")
    reach(page, "a wrong value is refused at its field",
          "document.querySelector('[name=dim]').getAttribute('aria-invalid') === 'true'")
    told = text_of(page, '[data-name="dim"] .error')
    check("with the server's own words", told and told in text_of(page, "#problem"), told)
    check("which the field refers to", page.evaluate("""document.querySelector('[name=dim]').getAttribute('aria-describedby')
        .split(' ').includes(document.querySelector('[data-name="dim"] .error').id)"""))
    type_into(page, "dim", "8")
    reach(page, "a right value takes the refusal away",
          "!document.querySelector('[aria-invalid]') && document.querySelector('#problem').textContent === ''")
    arrive(page, server, "#/v1/sinusoidal?lenght=8&dim=8", "a misspelt name is shown")
    click(page, "Use length", "#problem")
    reach(page, "what is suggested can be taken", "location.hash === '#/v1/sinusoidal?length=8&dim=8'")
    check("and helps", "[8, 8]" in text_of(page, "#status"))
    arrive(page, server, "#/v1/sinusoidal?length=8&dim=8&layout=wavy", "a choice that there is not is shown")
    check("in its field", value_of(page, "layout") == "wavy")
    click(page, "cos_sin", '[data-name="layout"]')
    reach(page, "one that there is can be taken", "location.hash.endsWith('layout=cos_sin')")
    arrive(page, server, "#/v1/rope?length=8&dim=8&scaling.rope_type=yarn&scaling.factor=4", "what is missing is said")
    click(page, "Go to scaling.original_max_position_embeddings")
    check("and led to, though it was folded away", page.evaluate("""document.activeElement.name ===
        'scaling.original_max_position_embeddings' && document.activeElement.checkVisibility()"""))
    arrive(page, server, "#/v1/nothing", "an address of nothing leads to the beginning")


def try_markup(page, server):
    """Names of any characters stay text wherever they come to stand."""
    arrive(page, server, "#/v1/rope?length=8&model=" + urllib.parse.quote(MARKUP), "a model of odd name is asked for")
    check("the field has its name", value_of(page, "model") == MARKUP, value_of(page, "model"))
    check("it is refused", "model" in (text_of(page, "#problem") or ""), text_of(page, "#problem"))
    arrive(page, server, "#/v1/rope?length=8&dim=8&" + urllib.parse.quote(MARKUP) + "=" + urllib.parse.quote(MARKUP),
           "a parameter of odd name is asked for")
    check("the problem names it as it is", MARKUP in text_of(page, "#problem"), text_of(page, "#problem"))
    check("the form has it as it is", MARKUP in text_of(page, "#ask"))
    arrive(page, server, "#/v1/resolve?config=" + urllib.parse.quote(json.dumps({"model_type": MARKUP})),
           "a model_type of odd name is asked for")
    check("no markup has become an element", page.evaluate("document.querySelectorAll('img[src=x]').length") == 0)
    check("it stands in the page as text", MARKUP in page.evaluate("document.body.innerText"))
    arrive(page, server, "#/v1/rope?length=4&dim=4&__proto__.x=[1]&constructor=%5B1%5D", "names of JavaScript's are names")
    check("and change nothing of it", page.evaluate("({}).x === undefined"))


def try_config(page, server):
    click(page, "config.json", "#views")
    reach(page, "the config view opens", "location.hash.startsWith('#/v1/resolve')")
    page.evaluate("document.getElementById('config').focus(), document.getElementById('config').select()")
    page.text(json.dumps(GEMMA))
    reach(page, "each layer's encoding is told", "document.querySelectorAll('.use').length === 2")
    shown = page.evaluate("[...document.querySelectorAll('.use > h2')].map((node) => node.textContent)")
    check("with its layers", shown == ["rope in layer 5", "rope in layers 0–4"], shown)
    check("warnings are told", page.evaluate("document.querySelectorAll('.warnings li').length") > 0, text_of(page, "#result"))
    page.evaluate("document.querySelectorAll('.use a.button')[0].click()")
    reach(page, "and fills the form", "location.hash.startsWith('#/v1/rope?') && document.querySelector('[name=base]')?.value === '1000000'")
    page.evaluate("history.back()")
    reach(page, "back brings the file again", "document.getElementById('config')?.value.includes('gemma3_text')")
    page.evaluate("document.getElementById('config').focus(), document.getElementById('config').select()")
    page.text("{not JSON")
    reach(page, "what is no JSON is refused", "document.getElementById('config').hasAttribute('aria-invalid')")


def try_models(page, server):
    arrive(page, server, "#/v1/rope?length=8&dim=64", "rope opens")
    page.evaluate(f"document.querySelector({json.dumps(field('model'))}).focus()")
    page.text("llama-3.1-8b")
    page.key("Enter", 13)
    page.evaluate("document.activeElement.blur()")
    reach(page, "a model's own parameters are taken", "location.hash === '#/v1/rope?length=8&model=llama-3.1-8b'")
    check("and told", "llama3" in text_of(page, "#result"))
    check("its layer can be chosen", page.evaluate(f"document.querySelector({json.dumps(field('layer'))}) !== null"))
    type_into(page, "model", "bloom")
    page.evaluate("document.activeElement.blur()")
    reach(page, "a model of another encoding leads there", "location.hash.startsWith('#/v1/alibi?')")


def looks_right(page, path):
    """Trained weights can only be asked for."""
    return (text_of(page, "#problem") != "") == (path in WANT_WEIGHTS)


def try_everything(page, server):
    """Each operation and quantity has a first look that works."""
    catalogue = json.load(server.get("/v1/encodings"))
    arrive(page, server, "#/v1/sinusoidal?length=4&dim=4", "the walk begins")
    for encoding in catalogue["encodings"]:
        choose(page, "Encoding", encoding["name"])
        page.wait(f"location.hash.split('?')[0] === '#/v1/{encoding['name']}' && {DONE}")
        check("a first look at " + encoding["name"], not text_of(page, "#problem"), text_of(page, "#problem"))
        for operation in encoding["operations"][1:]:
            choose(page, "Operation", operation["name"])
            page.wait(f"location.hash.split('?')[0] === '#{operation['path']}' && {DONE}")
            check("a first look at " + operation["path"], looks_right(page, operation["path"]), text_of(page, "#problem"))
    click(page, "Analysis", "#views")
    page.wait(f"location.hash.startsWith('#/v1/analysis/') && {DONE}")
    for quantity in catalogue["quantities"]:
        choose(page, "Quantity", quantity["name"])
        page.wait(f"location.hash.split('?')[0] === '#/v1/analysis/{quantity['name']}' && {DONE}")
        check("a first look at " + quantity["name"], not text_of(page, "#problem"), text_of(page, "#problem"))


def try_apply(page, server):
    arrive(page, server, "#/v1/rope/apply?layout=half&offset=3&x=" + urllib.parse.quote("[[1,2,3,4]]"), "apply opens")
    check("by POST", text_of(page, ".line .label") == "POST")
    check("with the numbers of the README", "-1.4133525" in text_of(page, "tbody"), text_of(page, "tbody"))
    command = page.evaluate("document.querySelectorAll('.line code')[1].textContent")
    said = json.loads(subprocess.run(["sh", "-c", command], capture_output=True, check=True).stdout)
    check("the curl command asks the same", said["tensors"]["x"]["data"][0][1] == 1.8791181, command)
    type_into(page, "x", "[[1,2")
    reach(page, "JSON that is not whole is refused at its field",
          "document.querySelector('[name=x]').getAttribute('aria-invalid') === 'true'")


def try_large(page, server):
    arrive(page, server, "#/v1/sinusoidal?length=1000000000&dim=4096", "a table of 16 TB is looked at, or refused")
    check("and answered", text_of(page, "#status") or text_of(page, "#problem"))
    arrive(page, server, "#/v1/sinusoidal?length=1000000&dim=4096", "a table of 16 GB is looked at")
    check("without having all of it", "[1000000, 4096]" in text_of(page, "#status"), text_of(page, "#problem"))
    check("some columns are shown", page.evaluate("document.querySelectorAll('tbody td').length") > 10)


def try_shape(page, server):
    for width, height, dark in ((1280, 900, False), (400, 800, False), (320, 640, True)):
        page.resize(width, height, dark)
        for target in (YARN, "#/v1/resolve", "#/v1/rope?length=8", "#/v1/analysis/similarity?encoding=sinusoidal&length=9&dim=8"):
            arrive(page, server, target, f"{target} opens at {width}")
            over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            check(f"{target} fits a width of {width}", over <= 0, over)
    page.resize(1280, 900)
    arrive(page, server, YARN, "a page to look into")
    check("everything to fill in has a name", page.evaluate("""[...document.querySelectorAll('input, select, textarea')]
        .filter((node) => !node.labels?.length && !node.getAttribute('aria-label')).map((node) => node.outerHTML)""") == [])
    check("no id stands twice", page.evaluate("""(() => { const ids = [...document.querySelectorAll('[id]')].map((node) => node.id);
        return ids.length === new Set(ids).size; })()"""))
    check("pictures have words", page.evaluate("[...document.images].every((image) => image.alt.length > 10)"))
    check("the result is announced", page.evaluate("document.getElementById('status').getAttribute('role')") == "status")
    page.evaluate("document.activeElement.blur(), scrollTo(0, 0)")
    page.key("Tab", 9)
    check("the first stop of the keyboard is the way past the form", page.evaluate("document.activeElement.id") == "skip")
    page.key("Enter", 13)
    page.evaluate("document.activeElement.id === 'skip' && document.activeElement.click()")
    check("which leads there", page.evaluate("document.activeElement.id") == "answer")


def try_token(program):
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(f"me:sha256:{hashlib.sha256(TOKEN.encode()).hexdigest()}\n")
        file.flush()
        with Server(program, "--auth-tokens", file.name) as server, Browser() as page:
            page.open(server.base + "/#/v1/sinusoidal?length=8&dim=8")
            check("a token is asked for", page.wait("document.getElementById('token') && !document.getElementById('token').hidden"))
            for token, what in (("not-the-token-0123456789", "wrong"), (TOKEN, "right")):
                page.evaluate("document.getElementById('token-text').focus()")
                page.text(token)
                page.evaluate("document.querySelector('#token button').click()")
                if what == "wrong":
                    check("a wrong one is asked for again", page.wait("!document.getElementById('token').hidden"
                          " && document.getElementById('problem').textContent !== ''"))
                    check("which is no matter of another try", not click(page, "Try again", "#problem"))
            reach(page, "the right one opens the page", "document.querySelector('.picture img')?.naturalWidth > 100")
            check("it is kept for the tab alone", page.evaluate(
                "Object.values(sessionStorage).length === 1 && localStorage.length === 0 && document.cookie === ''"))
            check("it stands nowhere in the page", TOKEN not in page.evaluate("document.documentElement.outerHTML + location.href"))
            check("downloads bring it along", page.evaluate("document.querySelectorAll('.downloads button').length") == 6)
            reload(page)
            reach(page, "a reloaded page still has it", "document.querySelector('.picture img')?.naturalWidth > 100")
            check("nothing went wrong with it", not page.troubles, page.troubles)


def try_without_scripts(server):
    with Browser(scripts=False) as page:
        page.open(server.base + "/")
        # Scripts of the page do not run; those of the test do.
        check("without scripts there are pictures", page.wait(
            "document.images.length === 3 && [...document.images].every((image) => image.naturalWidth > 100)"))
        check("and words, with links", page.evaluate("document.body.innerText.includes('JavaScript') && document.links.length > 3"))
        check("and no empty form", page.evaluate("document.getElementById('main').hidden"))


def try_policy(page, server):
    arrive(page, server, YARN, "a page to break into")
    check("nothing is amiss so far", not page.troubles, page.troubles)
    page.evaluate("""(() => { const script = document.createElement('script');
        script.textContent = 'window.broken = true'; document.body.append(script); })()""")
    check("an inline script does not run", page.evaluate("window.broken === undefined"))
    page.evaluate("document.body.append(Object.assign(document.createElement('img'), {src: 'http://example.invalid/x.png'}))")
    check("and the policy says so", page.wait("true") and len(page.troubles) >= 1, page.troubles)


def main():
    program = sys.argv[1]
    with Server(program) as server:
        with Browser() as page:
            for step in (try_first_look, try_editing, try_tensors, try_errors, try_markup, try_config, try_models,
                         try_everything, try_apply, try_large, try_shape, *STEPS, try_policy):
                try:
                    step(page, server)
                except Exception as error:  # the others are worth a try
                    check(step.__name__, False, repr(error))
        try_without_scripts(server)
        try_late_refusal(server)
    try_token(program)
    return checks.close()


sys.exit(main())
