package palyra.bench.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.grpc.Product;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * From the request of a page of the console until its scripts have run and its thread is free, in
 * Chromium, with an empty cache and with what the first page left; beside a static page of as many
 * bytes as page, styles and scripts together, from the same HTTP server.
 */
public final class PagesSuite implements Suite {
    private static final Map<String, String> PAGES = new LinkedHashMap<>();

    static {
        PAGES.put("overview", "/console/");
        PAGES.put("chat", "/console/chat");
        PAGES.put("runs", "/console/runs");
        PAGES.put("policies", "/console/policies");
        PAGES.put("approvals", "/console/panel/approvals");
        PAGES.put("health", "/console/panel/health");
    }

    private static final String PEER = "a static page of as many bytes from the same Jetty";

    @Override
    public String name() {
        return "console.pages";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        try (Product product = Product.start(setting.dist(), setting.folder("console-pages"));
                Chromium browser = Chromium.start();
                StaticPages peer = new StaticPages()) {
            Visitor visitor = Visitor.invite(product, "ann");
            product.command("ask", "--new", "good morning");
            warm(visitor, browser, peer);
            for (Map.Entry<String, String> page : PAGES.entrySet()) {
                measure(setting, report, page, new Meeting(visitor, browser, peer, true));
            }
            measure(
                    setting,
                    report,
                    Map.entry("overview-first", "/console/"),
                    new Meeting(visitor, browser, peer, false));
        }
        Setting.delete(setting.work().resolve("console-pages"));
    }

    private static void warm(Visitor visitor, Chromium browser, StaticPages peer)
            throws IOException {
        fresh(visitor, browser);
        for (String path : PAGES.values()) {
            long bytes = load(browser, visitor.url() + path).path("bytes").asLong();
            load(browser, peer.url(bytes));
        }
    }

    private static void fresh(Visitor visitor, Chromium browser) throws IOException {
        browser.run(Chromium.job("fresh", visitor.url()).put("cookie", visitor.cookie()));
    }

    /**
     * Who meets whom.
     *
     * @param cached whether the browser has the console's styles and scripts already
     */
    private record Meeting(Visitor visitor, Chromium browser, StaticPages peer, boolean cached) {}

    private static void measure(
            Setting setting, Report report, Map.Entry<String, String> page, Meeting meeting)
            throws IOException {
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        long bytes = 0;
        for (int run = 0; run < setting.runs(); run++) {
            if (!meeting.cached()) {
                fresh(meeting.visitor(), meeting.browser());
            }
            JsonNode said = load(meeting.browser(), meeting.visitor().url() + page.getValue());
            bytes = said.path("bytes").asLong();
            ours.add(said.path("millis").asDouble());
            theirs.add(
                    load(meeting.browser(), meeting.peer().url(bytes)).path("millis").asDouble());
        }
        report.fact("console.interactive-" + page.getKey() + ".bytes", Long.toString(bytes));
        report.add(
                new Figure(
                        "console.interactive-" + page.getKey(),
                        new Measure("ms", ours),
                        PEER,
                        new Measure("ms", theirs),
                        new Goal.None()));
    }

    private static JsonNode load(Chromium browser, String url) throws IOException {
        JsonNode said = browser.run(Chromium.job("load", url));
        if (said.path("status").asInt() != 200 || said.path("title").asText().contains("Sign in")) {
            throw new IOException(url + " answers " + said);
        }
        return said;
    }

    /** Pages of a size that is asked for. */
    static final class StaticPages implements AutoCloseable {
        private static final String HEAD =
                "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Static</title>"
                        + "</head><body>\n";
        private static final String PARAGRAPH =
                "<p>Nothing of this page changes, and nothing of it is computed.</p>\n";

        private final Server server = new Server();
        private final ServerConnector port = new ServerConnector(server);

        StaticPages() throws Exception {
            port.setHost("127.0.0.1");
            server.addConnector(port);
            server.setHandler(
                    new Handler.Abstract() {
                        @Override
                        public boolean handle(Request request, Response answer, Callback done) {
                            String path = request.getHttpURI().getPath();
                            byte[] page = page(Integer.parseInt(path.replaceAll("\\D", "0")));
                            answer.getHeaders()
                                    .put(HttpHeader.CONTENT_TYPE, "text/html; charset=utf-8");
                            Content.Sink.write(
                                    answer, true, new String(page, StandardCharsets.UTF_8), done);
                            return true;
                        }
                    });
            server.start();
        }

        String url(long bytes) {
            return "http://localhost:" + port.getLocalPort() + "/" + bytes;
        }

        /** A page of so many bytes, to the end of a paragraph. */
        static byte[] page(int bytes) {
            StringBuilder page = new StringBuilder(HEAD);
            while (page.length() < bytes) {
                page.append(PARAGRAPH);
            }
            return page.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void close() throws Exception {
            server.stop();
        }
    }
}
