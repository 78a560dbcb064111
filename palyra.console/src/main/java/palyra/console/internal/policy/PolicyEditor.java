package palyra.console.internal.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.policy.Policies;
import palyra.console.internal.command.CommandWords;
import palyra.console.internal.command.Commands;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;

/**
 * The editor of a policy file. Every check, plan and change is the shell's command of that name,
 * run for the reader, on a folder with the files of the set in force and the edited one in its new
 * form. Thread-safe.
 */
public final class PolicyEditor {
    /**
     * The editor of a file.
     *
     * @param own whether it may be changed
     * @param basis what it was when it was opened
     * @param key of the form, by which its draft is known
     * @param sentKey key of the form that was applied just now; empty for none
     * @param answer what the last check, plan or change said; null for none
     */
    public record Editor(
            String name,
            String text,
            boolean own,
            EditBasis basis,
            String key,
            String sentKey,
            Answer answer) {}

    /**
     * What a check, plan or change said.
     *
     * @param what the command's name
     * @param good whether the set is usable, or the change was made
     * @param document what the command said
     * @param confirm digest that confirms a loss of protection; empty when nothing is lost
     * @param changed digest of the file as another person left it; empty when no other change would
     *     be undone
     */
    public record Answer(
            String what,
            boolean good,
            JsonNode document,
            String problem,
            String confirm,
            String changed) {
        /** Returns a field of the document as text; empty when absent. */
        public String text(String field) {
            return document == null ? "" : document.path(field).asText("");
        }

        /** Returns the entries of a list of the document. */
        public List<JsonNode> list(String field) {
            List<JsonNode> entries = new ArrayList<>();
            if (document != null) {
                document.path(field).forEach(entries::add);
            }
            return entries;
        }
    }

    private static final int MAX_TEXT = 256 * 1024;

    private record Edit(String name, String text, EditBasis basis) {}

    private final Ulids ids = new Ulids();
    private final Commands commands;
    private final Gate<Policies> policies;

    /** Creates the pages. */
    public PolicyEditor(Commands commands, Gate<Policies> policies) {
        this.commands = commands;
        this.policies = policies;
    }

    /** Adds the routes. */
    public void routes(Router router) {
        router.get("/console/policies/edit", this::edit);
        router.post("/console/policies/check", exchange -> answer(exchange, "validate"));
        router.post("/console/policies/plan", exchange -> answer(exchange, "plan"));
        router.post("/console/policies/apply", exchange -> answer(exchange, "apply"));
    }

    /** The texts are shown to those who may read policies, as the command says. */
    private Map<String, String> files(Principal reader) {
        commands.ask(reader, CommandWords.of("policy status"));
        return texts(policies);
    }

    /** Returns the texts of the set in force by file name. */
    static Map<String, String> texts(Gate<Policies> policies) {
        Map<String, String> files = new TreeMap<>();
        policies.call(service -> service.texts(""))
                .forEach(file -> files.put(file.name(), file.text()));
        return files;
    }

    private void edit(Exchange exchange) throws IOException {
        String name = exchange.parameter("file");
        Map<String, String> files = files(exchange.principal());
        boolean own = name.isEmpty() || CandidateFolder.isOwn(name);
        exchange.page(
                title(name),
                "page/policy-edit.jte",
                new Editor(
                        name,
                        files.getOrDefault(name, ""),
                        own,
                        EditBasis.of(files, name),
                        ids.next(),
                        "",
                        null));
    }

    private void answer(Exchange exchange, String command) throws IOException {
        if (command.equals("apply")) {
            exchange.requireRecentFactor();
        }
        String name = exchange.parameter("file").strip();
        String text = exchange.parameter("text").replace("\r\n", "\n");
        EditBasis basis = EditBasis.of(exchange);
        Answer answer = ask(exchange, command, new Edit(name, text, basis));
        boolean applied = answer.good() && command.equals("apply");
        String key = exchange.parameter("key");
        Editor editor =
                new Editor(
                        name,
                        text,
                        true,
                        applied ? EditBasis.applied(name, text) : basis,
                        applied || !Ulids.isUlid(key) ? ids.next() : key,
                        applied && Ulids.isUlid(key) ? key : "",
                        answer);
        if (exchange.partial()) {
            exchange.fragment("block/policy-answer.jte", editor);
        } else {
            exchange.page(answer.good() ? 200 : 422, title(name), "page/policy-edit.jte", editor);
        }
    }

    private static String title(String name) {
        return name.isEmpty() ? "New policy file" : name;
    }

    private Answer ask(Exchange exchange, String command, Edit edit) {
        int length = edit.text().length();
        if (length > MAX_TEXT) {
            return refused(
                    command, "The file has " + length + " characters; at most " + MAX_TEXT + ".");
        }
        Principal person = exchange.principal();
        try {
            Map<String, String> inForce = files(person);
            String changed = edit.basis().changed(inForce, edit.name());
            return changed.isEmpty()
                    ? ask(exchange, command, edit, inForce)
                    : new Answer(
                            command,
                            false,
                            null,
                            edit.basis().sentence(inForce, edit.name()),
                            "",
                            changed);
        } catch (PalyraException e) {
            return refused(command, e.getMessage());
        }
    }

    private Answer ask(Exchange exchange, String command, Edit edit, Map<String, String> inForce) {
        Principal person = exchange.principal();
        try (CandidateFolder candidate = CandidateFolder.of(inForce, edit.name(), edit.text())) {
            CommandWords words = CommandWords.of("policy " + command);
            if (command.equals("apply")) {
                words.option("confirm", exchange.parameter("confirm"));
            }
            JsonNode document = commands.ask(person, words.argument(candidate.path()));
            String outcome = document.path("outcome").asText("");
            boolean lost = outcome.equals("needs_confirmation");
            return new Answer(
                    command,
                    !outcome.equals("refused") && !lost,
                    document,
                    "",
                    lost ? document.path("sha256").asText() : "",
                    "");
        }
    }

    private static Answer refused(String command, String problem) {
        return new Answer(command, false, null, problem, "", "");
    }
}
