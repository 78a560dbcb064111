package palyra.console.internal.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.policy.Policies;
import palyra.console.internal.command.CommandWords;
import palyra.console.internal.command.Commands;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;
import palyra.shared.gate.Gate;

/**
 * The policies in force, the sets before them, and the ways back. Every change is the shell's
 * command of that name, run for the reader. {@link PolicyEditor} edits files. Thread-safe.
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
        Map<String, String> files = PolicyEditor.texts(policies);
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
