package palyra.console.internal.page;

import java.io.IOException;
import palyra.console.internal.Seams;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;

/** The first page: what waits for me, what runs, what is wrong. */
public final class OverviewPage {
    /** What the page shows. */
    public record View(String person) {}

    private final Seams seams;

    /** Creates the page. */
    public OverviewPage(Seams seams) {
        this.seams = seams;
    }

    /** Adds the route. */
    public void routes(Router router) {
        router.get("/console", this::show);
    }

    private void show(Exchange exchange) throws IOException {
        exchange.page("Overview", "page/overview.jte", new View(exchange.principal().id()));
    }
}
