// Draws whatever screen the server shows, and sends back what was entered: it knows no step by its name.

const main = document.querySelector("main");
const notice = document.querySelector("#notice");
const endings = {
    finished: "Welcome! Your account is made.",
    cancelled: "The registration was given up.",
    expired: "This registration was left alone for too long.",
};
let shown = "";
let isBusy = false;

/** Asks the server, and draws what it says; one question at a time, so that nothing is sent twice. */
async function ask(method, path, input, typed = input?.values ?? {}) {
    if (isBusy) return;
    isBusy = true;
    let isUnknown = false;
    try {
        const headers = { "Content-Type": "application/json" };
        const response = await fetch(path, { method, headers, body: input && JSON.stringify(input) });
        isUnknown = response.status === 404;
        if (isUnknown) return;
        const answer = await response.json();
        if (!response.ok) throw new Error(answer.error);
        notice.textContent = "";
        draw(answer, typed);
    } catch (error) {
        const text = error instanceof TypeError ? "The server cannot be reached at the moment." : error.message;
        notice.textContent = `${text} What you typed is still here.`;
        if (main.childElementCount === 0) setTimeout(show, 1000);
    } finally {
        isBusy = false;
        // Nothing is stored before the first answer: a server that was started anew does not know the flow.
        if (isUnknown) begin(typed);
    }
}

const begin = (typed) => ask("POST", "/flow", undefined, typed);
const show = () => ask("GET", "/flow");

/** Draws an answer of the server; `typed` stays in its fields where the same screen is shown again. */
function draw({ status, screens, result }, typed) {
    const screen = screens && active(screens);
    // Without anything to do, it is the network's turn: look again until that has changed.
    if (screen && screen.actions.length === 0) setTimeout(show, 500);
    const name = screen ? `${screen.id} ${screen.revision}` : status;
    if (name === shown) return;
    const isSame = screen && shown.startsWith(`${screen.id} `);
    shown = name;
    main.replaceChildren(...(screen ? parts(screen, isSame ? typed : {}) : ending(status)));
    const isLost = isSame && Object.keys(typed).length > 0 && result !== "refused" && result !== "taken";
    if (isLost) notice.textContent = "This was not taken yet. Please send it again.";
    const wrong = main.querySelector("[aria-invalid]");
    const heading = main.querySelector("h1");
    document.title = `${wrong ? "Error: " : ""}${(main.querySelector("label") ?? heading).textContent}`;
    (wrong ?? main.querySelector("input") ?? heading).focus();
}

/** The screen that takes the input. */
function active(tree) {
    switch (tree.kind) {
    case "screen": return tree.screen;
    case "stack": return tree.stack.length > 0 ? active(tree.stack.at(-1)) : undefined;
    case "modal": return active(tree.top);
    case "tabs": return active(tree.shown);
    }
}

function parts({ id, revision, title, progress, content, actions }, typed) {
    const form = make("form", { novalidate: "", autocomplete: "on" });
    const send = (action) => {
        const values = Object.fromEntries([...new FormData(form)]);
        ask("POST", "/flow/input", { screen: id, revision, action, values });
    };
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        send(actions[0].id);
    });
    for (const field of content.fields ?? []) form.append(...fieldParts(field, typed[field.key]));
    if (content.lines) form.append(make("dl", {}, ...content.lines.flatMap(lineParts)));
    if (content.text) form.append(make("p", {}, content.text));
    form.append(make("p", { class: "actions" }, ...actions.map((action, position) => {
        const button = make("button", { type: position === 0 ? "submit" : "button", class: action.role }, action.title);
        if (position > 0) button.addEventListener("click", () => {
            if (action.role !== "cancel" || confirm("Give this up, with all that was entered?")) send(action.id);
        });
        return button;
    })));
    return [make("h1", { tabindex: "-1" }, title), ...progressParts(progress), form];
}

function fieldParts({ key, label, isSecret, purpose, value, hint, error }, typed) {
    const id = `field-${key}`;
    const notes = [];
    if (hint) notes.push(make("p", { id: `${id}-hint`, class: "hint" }, hint));
    if (error) notes.push(make("p", { id: `${id}-error`, class: "error" }, error.text));
    const input = make("input", {
        id, name: key, type: isSecret ? "password" : "text", spellcheck: "false", ...purposes[purpose],
    });
    input.value = typed ?? value ?? "";
    if (error) input.setAttribute("aria-invalid", "true");
    if (notes.length > 0) input.setAttribute("aria-describedby", notes.map((note) => note.id).join(" "));
    return [make("label", { for: id }, label), ...notes, input];
}

const lineParts = ({ label, value }) => [make("dt", {}, label), make("dd", {}, value ?? "••••••••")];

function progressParts(progress) {
    if (!progress) return [];
    const bar = make("progress", { max: progress.count, value: progress.step, "aria-hidden": "true" });
    return [make("p", { class: "progress" }, `Step ${progress.step} of ${progress.count}`, bar)];
}

function ending(status) {
    const again = make("button", { type: "button" }, "Register somebody else");
    again.addEventListener("click", () => begin());
    return [make("h1", { tabindex: "-1" }, endings[status] ?? status), make("p", { class: "actions" }, again)];
}

function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
}

show();
