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

/**
 * Policies in the console. Every check, plan and change is the shell's command of that name, run
 * for the reader, on a folder with the files of the set in force and the edited one in its new
 * form. Thread-safe.
 */
public final class PolicyPages {
    /** The first page: what is in force, its files, its policies, and the sets before it. */
    public record Overview(
            JsonNode status,
            List<String> ownFiles,
            List<String> shippedFiles,
            JsonNode policies,
            JsonNode history,
            String problem,
            Loss loss) {}

    /**
     * Prohibitions that a reload would lose.
     *
     * @param confirm digest of the set that lacks them, which confirms the loss
     */
    public record Loss(String confirm, List<String> prohibitions) {
        private static final Loss NONE = new Loss("", List.of());
    }

    /**
     * The editor of a file.
     *
     * @param own whether it may be changed
     * @param answer what the last check, plan or change said; null for none
     */
    public record Editor(String name, String text, boolean own, Answer answer) {}

    /**
     * What a check, plan or change said.
     *
     * @param what the command's name
     * @param good whether the set is usable, or the change was made
     * @param document what the command said
     * @param confirm digest that confirms a loss of protection; empty when nothing is lost
     */
    public record Answer(
            String what, boolean good, JsonNode document, String problem, String confirm) {
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

    private final Commands commands;
    private final Gate<Policies> policies;

    /** Creates the pages. */
    public PolicyPages(Commands commands, Gate<Policies> policies) {
        this.commands = commands;
        this.policies = policies;
    }

    /** Adds the routes. */
    public void routes(Router router) {
        router.get("/console/policies", this::overview);
        router.get("/console/policies/edit", this::edit);
        router.post("/console/policies/check", exchange -> answer(exchange, "validate"));
        router.post("/console/policies/plan", exchange -> answer(exchange, "plan"));
        router.post("/console/policies/apply", exchange -> answer(exchange, "apply"));
        router.post("/console/policies/reload", exchange -> change(exchange, "policy reload"));
        router.post("/console/policies/rollback", exchange -> change(exchange, "policy rollback"));
    }

    private void overview(Exchange exchange) throws IOException {
        show(exchange, "", Loss.NONE);
    }

    private void show(Exchange exchange, String problem, Loss loss) throws IOException {
        Principal reader = exchange.principal();
        JsonNode status = commands.ask(reader, CommandWords.of("policy status"));
        JsonNode list = commands.ask(reader, CommandWords.of("policy list"));
        JsonNode history = commands.ask(reader, CommandWords.of("policy history"));
        Map<String, String> files = texts();
        exchange.page(
                problem.isEmpty() ? 200 : 422,
                "Policies",
                "page/policies.jte",
                new Overview(
                        status,
                        files.keySet().stream().filter(CandidateFolder::isOwn).toList(),
                        files.keySet().stream().filter(n -> !CandidateFolder.isOwn(n)).toList(),
                        list,
                        history,
                        problem,
                        loss));
    }

    /** The texts are shown to those who may read policies, as the command says. */
    private Map<String, String> files(Principal reader) {
        commands.ask(reader, CommandWords.of("policy status"));
        return texts();
    }

    private Map<String, String> texts() {
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
                name.isEmpty() ? "New policy file" : name,
                "page/policy-edit.jte",
                new Editor(name, files.getOrDefault(name, ""), own, null));
    }

    private void answer(Exchange exchange, String command) throws IOException {
        if (command.equals("apply")) {
            exchange.requireRecentFactor();
        }
        String name = exchange.parameter("file").strip();
        String text = exchange.parameter("text").replace("\r\n", "\n");
        Answer answer = ask(exchange, command, name, text);
        Editor editor = new Editor(name, text, true, answer);
        if (exchange.partial()) {
            exchange.fragment("block/policy-answer.jte", editor);
        } else {
            exchange.page(
                    answer.good() ? 200 : 422,
                    name.isEmpty() ? "New policy file" : name,
                    "page/policy-edit.jte",
                    editor);
        }
    }

    private Answer ask(Exchange exchange, String command, String name, String text) {
        if (text.length() > MAX_TEXT) {
            return refused(
                    command,
                    "The file has " + text.length() + " characters; at most " + MAX_TEXT + ".");
        }
        Principal person = exchange.principal();
        try (CandidateFolder candidate = CandidateFolder.of(files(person), name, text)) {
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
                    lost ? document.path("sha256").asText() : "");
        } catch (PalyraException e) {
            return refused(command, e.getMessage());
        }
    }

    private static Answer refused(String command, String problem) {
        return new Answer(command, false, null, problem, "");
    }

    private void change(Exchange exchange, String command) throws IOException {
        exchange.requireRecentFactor();
        CommandWords words =
                CommandWords.of(command).option("confirm", exchange.parameter("confirm"));
        try {
            JsonNode document =
                    commands.ask(
                            exchange.principal(), words.argument(exchange.parameter("sha256")));
            String outcome = document.path("outcome").asText("");
            if (outcome.equals("refused") || outcome.equals("needs_confirmation")) {
                show(exchange, document.path("summary").asText(), loss(document));
                return;
            }
        } catch (PalyraException e) {
            show(exchange, e.getMessage(), Loss.NONE);
            return;
        }
        exchange.seeOther("/console/policies");
    }

    private static Loss loss(JsonNode document) {
        if (!document.path("outcome").asText().equals("needs_confirmation")) {
            return Loss.NONE;
        }
        List<String> lost = new ArrayList<>();
        document.path("lost").forEach(each -> lost.add(each.asText()));
        return new Loss(document.path("sha256").asText(), lost);
    }
}
