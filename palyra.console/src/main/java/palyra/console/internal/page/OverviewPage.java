package palyra.console.internal.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.console.internal.command.CommandWords;
import palyra.console.internal.command.Commands;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;

/** The first page: what waits for a person, what runs, what is wrong. Thread-safe. */
public final class OverviewPage {
    /**
     * What the page shows; each part fails alone.
     *
     * @param approvals pending approval requests
     * @param runs the newest runs
     * @param findings of the doctor, without those that only inform
     * @param status of the gateway
     * @param problems why a part is not shown
     */
    public record View(
            String person,
            JsonNode approvals,
            JsonNode runs,
            List<JsonNode> findings,
            JsonNode status,
            List<String> problems) {}

    private final Commands commands;

    /** Creates the page. */
    public OverviewPage(Commands commands) {
        this.commands = commands;
    }

    /** Adds the route. */
    public void routes(Router router) {
        router.get("/console", this::show);
    }

    private void show(Exchange exchange) throws IOException {
        Principal reader = exchange.principal();
        List<String> problems = new ArrayList<>();
        View view =
                new View(
                        reader.id(),
                        part(problems, () -> ask(reader, "approvals list")),
                        part(
                                problems,
                                () ->
                                        commands.ask(
                                                reader,
                                                CommandWords.of("runs").option("limit", "10"))),
                        findings(part(problems, () -> ask(reader, "doctor"))),
                        part(problems, () -> ask(reader, "status")),
                        problems);
        if (exchange.partial()) {
            exchange.fragment("block/overview.jte", view);
        } else {
            exchange.page("Overview", "page/overview.jte", view);
        }
    }

    private JsonNode ask(Principal reader, String command) {
        return commands.ask(reader, CommandWords.of(command));
    }

    private static JsonNode part(List<String> problems, Supplier<JsonNode> part) {
        try {
            return part.get();
        } catch (PalyraException e) {
            problems.add(e.getMessage());
            return JsonNodeFactory.instance.arrayNode();
        }
    }

    private static List<JsonNode> findings(JsonNode all) {
        List<JsonNode> serious = new ArrayList<>();
        for (JsonNode one : all) {
            if (!one.path("severity").asText().equals("INFO")) {
                serious.add(one);
            }
        }
        return serious;
    }
}
