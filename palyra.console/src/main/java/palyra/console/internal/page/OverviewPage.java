package palyra.console.internal.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.console.internal.command.CommandWords;
import palyra.console.internal.command.Commands;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;

/** The first page: what waits for a person, what runs, what is wrong. Thread-safe. */
public final class OverviewPage {
    /**
     * What the page shows; each part fails alone. What the person may not see is null.
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

    private static final long DENIED_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int MOST_DENIED = 1_000;

    private final Commands commands;
    private final LongSupplier nanos;
    private final Map<String, Long> denied = new ConcurrentHashMap<>(); // since when, in nanos

    /** Creates the page. */
    public OverviewPage(Commands commands) {
        this(commands, System::nanoTime);
    }

    OverviewPage(Commands commands, LongSupplier nanos) {
        this.commands = commands;
        this.nanos = nanos;
    }

    /** Adds the route. */
    public void routes(Router router) {
        router.get("/console", this::show);
    }

    private void show(Exchange exchange) throws IOException {
        Principal reader = exchange.principal();
        View view = view(reader);
        if (exchange.partial()) {
            exchange.fragment("block/overview.jte", view);
        } else {
            exchange.page("Overview", "page/overview.jte", view);
        }
    }

    View view(Principal reader) {
        List<String> problems = new ArrayList<>();
        return new View(
                reader.id(),
                part(reader, CommandWords.of("approvals list"), problems),
                part(reader, CommandWords.of("runs").option("limit", "10"), problems),
                findings(part(reader, CommandWords.of("doctor"), problems)),
                part(reader, CommandWords.of("status"), problems),
                problems);
    }

    /** Each denial is recorded, and the page is loaded often: it is not asked for again at once. */
    private JsonNode part(Principal reader, CommandWords words, List<String> problems) {
        String denial = reader.id() + " " + words.name();
        Long since = denied.get(denial);
        if (since != null && nanos.getAsLong() - since < DENIED_NANOS) {
            return null;
        }
        try {
            JsonNode answer = commands.ask(reader, words);
            denied.remove(denial);
            return answer;
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.DENIED) {
                if (denied.size() >= MOST_DENIED) {
                    denied.clear();
                }
                denied.put(denial, nanos.getAsLong());
            } else {
                problems.add(e.getMessage());
            }
            return null;
        }
    }

    private static List<JsonNode> findings(JsonNode all) {
        if (all == null) {
            return null;
        }
        List<JsonNode> serious = new ArrayList<>();
        for (JsonNode one : all) {
            if (!one.path("severity").asText().equals("INFO")) {
                serious.add(one);
            }
        }
        return serious;
    }
}
