package palyra.console.internal.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.console.internal.session.Viewer;

/** A request and its response. Belongs to one thread. */
public final class Exchange {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final int MOST_SAID = 300;
    private static final int MAX_VALUE = 256 * 1024;
    private static final long RECENT_MILLIS = 5 * 60 * 1_000L;

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final Viewer viewer; // null on open routes without a session
    private final Map<String, String> segments;
    private final String nonce;
    private final Pages pages;
    private String stream = "/console/events";

    Exchange(
            HttpServletRequest request,
            HttpServletResponse response,
            Viewer viewer,
            Map<String, String> segments,
            String nonce,
            Pages pages) {
        this.request = request;
        this.response = response;
        this.viewer = viewer;
        this.segments = segments;
        this.nonce = nonce;
        this.pages = pages;
    }

    /** Returns the request. */
    public HttpServletRequest request() {
        return request;
    }

    /** Returns the response; its security headers are set. */
    public HttpServletResponse response() {
        return response;
    }

    /** Returns whether a session came with the request. */
    public boolean signedIn() {
        return viewer != null;
    }

    /** Returns the viewer; on routes that need a session there is one. */
    public Viewer viewer() {
        Require.present(viewer, "session");
        return viewer;
    }

    /**
     * Goes on when the person showed a factor within five minutes. Otherwise the request ends here:
     * a page asks for the factor and sends the request once more, with every field. Call it before
     * anything is changed.
     */
    public void requireRecentFactor() {
        if (System.currentTimeMillis() - viewer().provenMillis() > RECENT_MILLIS) {
            throw new FactorNeededException();
        }
    }

    /** Returns the same exchange with another viewer. */
    Exchange as(Viewer other) {
        return new Exchange(request, response, other, segments, nonce, pages);
    }

    /** Returns the viewer's principal. */
    public Principal principal() {
        return viewer().principal();
    }

    /**
     * Returns the nonce of this response, which scripts and elements with htmx attributes carry.
     */
    public String nonce() {
        return nonce;
    }

    /** Returns what the path had at {@code {name}} of the route's pattern. */
    public String segment(String name) {
        return segments.getOrDefault(name, "");
    }

    /** Returns a parameter of the address or a field of the form; empty when absent. */
    public String parameter(String name) {
        String[] values = parameters().get(name);
        String value = values == null ? "" : Require.orEmpty(values[0]);
        Require.that(
                value.length() <= MAX_VALUE,
                "the field '" + name + "' is longer than " + MAX_VALUE + " characters");
        return value;
    }

    /**
     * Returns all parameters and fields. The server reads them when they are first asked for, and
     * throws an exception of its own for what it cannot read or finds too much.
     */
    public Map<String, String[]> parameters() {
        try {
            return request.getParameterMap();
        } catch (RuntimeException e) {
            LOG.debug("The parameters of a request cannot be read", e);
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The address or the form cannot be read: a part is not written as a form is, or"
                            + " there are too many fields. Load the page again and repeat what you"
                            + " did.",
                    e);
        }
    }

    /**
     * Lets the event stream of the page follow a run.
     *
     * @param seq last record that the page shows
     * @param sessionId session whose later runs are followed too; empty for this run alone
     */
    public void follow(String runId, long seq, String sessionId) {
        stream =
                "/console/events?run="
                        + encode(runId)
                        + "&seq="
                        + seq
                        + (sessionId.isEmpty() ? "" : "&session=" + encode(sessionId));
    }

    String stream() {
        return stream;
    }

    /** Returns whether htmx asked, which swaps a part of the page. */
    public boolean partial() {
        return "true".equals(request.getHeader("HX-Request"));
    }

    /**
     * Answers with a whole page.
     *
     * @param template such as {@code page/runs.jte}, with the parameters {@code frame} and {@code
     *     view}
     */
    public void page(String title, String template, Object view) throws IOException {
        page(HttpServletResponse.SC_OK, title, template, view);
    }

    /** Answers with a whole page and a status. */
    public void page(int status, String title, String template, Object view) throws IOException {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("frame", pages.frame(this, title));
        parameters.put("view", view);
        html(status, pages.render(template, parameters));
    }

    /** Answers with a part of a page; the template has the same two parameters. */
    public void fragment(String template, Object view) throws IOException {
        page(HttpServletResponse.SC_OK, "", template, view);
    }

    /** Says in a header, for a script that shows no part of the answer, why it is refused. */
    void say(String sentence) {
        if (partial()) {
            String brief = sentence.substring(0, Math.min(MOST_SAID, sentence.length()));
            response.setHeader("X-Palyra-Problem", encode(brief));
        }
    }

    /** Answers with JSON, for a script of the console. */
    public void json(byte[] body) throws IOException {
        answer(HttpServletResponse.SC_OK, "application/json", body);
    }

    private void html(int status, byte[] body) throws IOException {
        answer(status, "text/html; charset=utf-8", body);
    }

    private void answer(int status, String type, byte[] body) throws IOException {
        response.setStatus(status);
        response.setContentType(type);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Vary", "HX-Request");
        response.setContentLength(body.length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(body);
        }
    }

    /** Leads to another page of the console after a change. */
    public void seeOther(String path) {
        Require.that(path.startsWith("/console"), "the console leads to its own pages only");
        if (partial()) {
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
            response.setHeader("HX-Redirect", path);
        } else {
            response.setStatus(HttpServletResponse.SC_SEE_OTHER);
            response.setHeader("Location", path);
        }
    }

    /** Returns a text as a segment or parameter of an address. */
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
