"use strict";
/* Forms with data-passkey: asks the console for a challenge, the authenticator for an answer, and
   sends the form with it. Such forms are hidden until this runs; passwords need no script. */
(() => {
    const csrf = document.querySelector('meta[name="palyra-csrf"]')?.content ?? "";
    const bytes = text => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
    const text = buffer => btoa(String.fromCharCode(...new Uint8Array(buffer)))
        .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

    async function challenge(form) {
        const body = new URLSearchParams({ use: form.dataset.use, invitation: form.dataset.invitation ?? "" });
        const answer = await fetch("/console/passkey/challenge", {
            method: "POST", body, headers: { "X-Palyra-Csrf": csrf } });
        if (!answer.ok) {
            throw new Error("The console answered with status " + answer.status + "; load the page again.");
        }
        const asked = await answer.json();
        if (asked.problem) {
            throw new Error(asked.problem);
        }
        return asked;
    }

    const known = asked => asked.known.map(id => ({ type: "public-key", id: bytes(id) }));

    async function made(asked) {
        const credential = await navigator.credentials.create({ publicKey: {
            challenge: bytes(asked.challenge),
            rp: { id: asked.host, name: "Palyra" },
            user: { id: bytes(asked.userId), name: asked.userName, displayName: asked.userName },
            pubKeyCredParams: [-7, -8, -257].map(alg => ({ type: "public-key", alg })),
            authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
            attestation: "none",
            excludeCredentials: known(asked),
        } });
        return {
            new_client: text(credential.response.clientDataJSON),
            new_attestation: text(credential.response.attestationObject),
        };
    }

    async function proved(asked) {
        const credential = await navigator.credentials.get({ publicKey: {
            challenge: bytes(asked.challenge),
            rpId: asked.host,
            userVerification: "required",
            allowCredentials: known(asked),
        } });
        return {
            prove_id: text(credential.rawId),
            prove_client: text(credential.response.clientDataJSON),
            prove_data: text(credential.response.authenticatorData),
            prove_signature: text(credential.response.signature),
        };
    }

    function put(form, fields) {
        for (const [name, value] of Object.entries(fields)) {
            form.querySelector('input[name="' + name + '"]')?.remove();
            const input = document.createElement("input");
            input.type = "hidden";
            input.name = name;
            input.value = value;
            form.append(input);
        }
    }

    const reasons = {
        NotAllowedError: "It was cancelled, or took too long; press the button to try again.",
        InvalidStateError: "This device has a passkey of your account already.",
        SecurityError: "Passkeys need TLS or localhost, and a host with a name.",
        NotSupportedError: "This device has no passkeys that verify who you are.",
    };

    for (const form of document.querySelectorAll("form[data-passkey]")) {
        if (!window.PublicKeyCredential) {
            continue;
        }
        form.hidden = false;
        const status = form.querySelector("[data-passkey-status]");
        const button = form.querySelector("button");
        form.addEventListener("submit", async event => {
            event.preventDefault();
            button.disabled = true;
            status.textContent = "Waiting for your device…";
            try {
                const asked = await challenge(form);
                put(form, await (form.dataset.passkey === "new" ? made(asked) : proved(asked)));
                form.submit();
            } catch (problem) {
                status.textContent = reasons[problem.name] ?? problem.message;
                button.disabled = false;
            }
        });
    }
})();
