package palyra.console.internal.panel;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.console.Block;
import palyra.api.console.Level;
import palyra.api.console.PanelPage;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelResult;
import palyra.api.console.PanelSpec;
import palyra.api.console.PanelSubmission;
import palyra.api.core.access.AccessRequest;
import palyra.console.internal.Seams;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;

/** Shows panels and carries out their forms. Thread-safe. */
public final class PanelPages {
    /**
     * What a panel's page shows.
     *
     * @param address of the page
     * @param query what its address has besides, with a question mark; empty for nothing
     * @param notice about what was done just now; null for none
     * @param entered what was entered in a form that was refused, by field; empty otherwise
     * @param failed id of that form; empty otherwise
     */
    public record View(
            PanelSpec spec,
            String address,
            String query,
            PanelPage page,
            PanelResult notice,
            String failed,
            Map<String, String> entered) {
        /** Returns the address that the same page is loaded again from. */
        public String again() {
            return address + query;
        }

        /** Returns what a field holds at first. */
        public String value(Block.Form form, Block.Field field) {
            return form.id().equals(failed)
                    ? entered.getOrDefault(field.name(), field.value())
                    : field.value();
        }
    }

    private static final String PREFIX = "/console/panel/";
    private static final int MAX_PATH = 512;

    private final Seams seams;
    private final Panels panels;
    private final Notices notices = new Notices();

    /** Creates the pages. */
    public PanelPages(Seams seams, Panels panels) {
        this.seams = seams;
        this.panels = panels;
    }

    /** Adds the routes. */
    public void routes(Router router) {
        router.get("/console/panel/{id}/{path*}", this::show);
        router.post("/console/panel/{id}/{path*}", this::submit);
    }

    /** Returns the panels that a principal may read, in the order of the navigation. */
    public List<PanelSpec> readable(Principal principal) {
        Map<String, Boolean> decided = new HashMap<>();
        Predicate<PanelSpec> allowed =
                spec -> decided.computeIfAbsent(spec.action(), action -> may(principal, action));
        return panels.specs().stream().filter(allowed).toList();
    }

    /** Returns whether a principal sees what needs an action. */
    public boolean may(Principal principal, String action) {
        return seams.access()
                .call(access -> access.wouldAllow(AccessRequest.of(principal, action, "")));
    }

    private void show(Exchange exchange) throws IOException {
        PanelSpec spec = spec(exchange);
        PanelPage page = page(exchange, spec);
        String person = exchange.principal().id();
        String id = exchange.parameter("notice");
        PanelResult notice =
                (exchange.partial() ? notices.again(person, id) : notices.take(person, id))
                        .orElse(null);
        render(
                exchange,
                new View(spec, address(exchange), query(exchange), page, notice, "", Map.of()),
                200);
    }

    private static void render(Exchange exchange, View view, int status) throws IOException {
        exchange.page(
                status,
                view.page().title(),
                exchange.partial() ? "block/panel.jte" : "page/panel.jte",
                view);
    }

    private PanelSpec spec(Exchange exchange) {
        String id = exchange.segment("id");
        return panels.spec(id)
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "There is no panel '"
                                                + id
                                                + "'; its bundle may be stopped or replaced."));
    }

    private PanelPage page(Exchange exchange, PanelSpec spec) {
        Permit permit =
                seams.access()
                        .call(
                                access ->
                                        access.authorizeRead(
                                                AccessRequest.of(
                                                        exchange.principal(), spec.action(), "")));
        PanelRequest request =
                new PanelRequest(
                        exchange.principal(), permit, path(exchange), parameters(exchange));
        PanelPage page = panels.call(spec.id(), panel -> panel.show(request));
        return new PanelPage(
                page.title(),
                page.summary(),
                visible(exchange, PageBounds.within(page.blocks())),
                page.topics());
    }

    /** Leaves out the forms whose action the reader may not perform. */
    private List<Block> visible(Exchange exchange, List<Block> blocks) {
        List<Block> seen = new ArrayList<>();
        for (Block block : blocks) {
            if (block instanceof Block.Details details) {
                seen.add(new Block.Details(details.summary(), visible(exchange, details.blocks())));
            } else if (!(block instanceof Block.Form form)
                    || may(exchange.principal(), form.action())) {
                seen.add(block);
            }
        }
        return seen;
    }

    private static String path(Exchange exchange) {
        String path = exchange.segment("path");
        if (path.length() > MAX_PATH) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The address is longer than " + MAX_PATH + " characters.");
        }
        return URLDecoder.decode(path, StandardCharsets.UTF_8);
    }

    private static String address(Exchange exchange) {
        return exchange.request().getRequestURI();
    }

    private static String query(Exchange exchange) {
        String query = exchange.request().getQueryString();
        return query == null ? "" : "?" + query;
    }

    private static Map<String, String> parameters(Exchange exchange) {
        Map<String, String> parameters = new HashMap<>();
        exchange.parameters()
                .keySet()
                .forEach(name -> parameters.put(name, exchange.parameter(name)));
        return parameters;
    }

    private void submit(Exchange exchange) throws IOException {
        PanelSpec spec = spec(exchange);
        PanelPage page = page(exchange, spec);
        Block.Form form = PanelForms.form(page.blocks(), exchange.parameter("form"));
        Map<String, String> fields = PanelForms.fields(exchange, form);
        try {
            PanelForms.requireConfirmed(exchange, form);
            if (form.sensitive()) {
                exchange.requireRecentFactor();
            }
            PanelResult result = perform(exchange, spec, form, fields);
            String notice = notices.keep(exchange.principal().id(), result);
            String path = result.path().isEmpty() ? "" : "/" + result.path();
            exchange.seeOther(
                    PREFIX
                            + spec.id()
                            + path
                            + (path.contains("?") ? "&" : "?")
                            + "notice="
                            + notice);
        } catch (PalyraException e) {
            refuse(
                    exchange,
                    new View(spec, address(exchange), "", page, null, "", Map.of()),
                    form,
                    fields,
                    e);
        }
    }

    private PanelResult perform(
            Exchange exchange, PanelSpec spec, Block.Form form, Map<String, String> fields) {
        AccessRequest change =
                AccessRequest.of(exchange.principal(), form.action(), form.resource());
        boolean recordsItself = panels.call(spec.id(), RecordsItself.class::isInstance);
        Permit permit =
                seams.access()
                        .call(
                                access ->
                                        recordsItself
                                                ? access.authorizeRead(change)
                                                : access.authorizeAndRecord(change));
        PanelSubmission submission =
                new PanelSubmission(
                        exchange.principal(), permit, path(exchange), form.id(), fields);
        return panels.call(spec.id(), panel -> panel.submit(submission));
    }

    /** The page again, with what was entered and why it was refused. */
    private static void refuse(
            Exchange exchange,
            View view,
            Block.Form form,
            Map<String, String> fields,
            PalyraException reason)
            throws IOException {
        Map<String, String> entered = new HashMap<>(fields);
        form.fields().stream()
                .filter(field -> field.kind() == Block.FieldKind.SECRET)
                .forEach(field -> entered.remove(field.name()));
        render(
                exchange,
                new View(
                        view.spec(),
                        view.address(),
                        view.query(),
                        view.page(),
                        new PanelResult(Level.BAD, reason.getMessage(), ""),
                        form.id(),
                        entered),
                exchange.partial() ? 200 : 422);
    }
}
