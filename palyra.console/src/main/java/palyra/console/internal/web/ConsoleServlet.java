package palyra.console.internal.web;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.console.internal.session.Origins;
import palyra.console.internal.session.Sessions;
import palyra.console.internal.session.Viewer;
import palyra.shared.http.AllowedHosts;
import palyra.shared.http.ConnectionCredential;
import palyra.shared.http.RequestInfo;

/**
 * Every request of the console: security headers, session, CSRF, then the handler of its route.
 * What fails becomes a page that says why.
 */
public final class ConsoleServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final int MISDIRECTED = 421;
    private static final String SIGN_IN = "/console/sign-in";
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleServlet.class);
    private static final Map<ErrorCode, Integer> STATUS =
            Map.ofEntries(
                    Map.entry(ErrorCode.INVALID_ARGUMENT, HttpServletResponse.SC_BAD_REQUEST),
                    Map.entry(ErrorCode.UNAUTHENTICATED, HttpServletResponse.SC_UNAUTHORIZED),
                    Map.entry(ErrorCode.DENIED, HttpServletResponse.SC_FORBIDDEN),
                    Map.entry(ErrorCode.NOT_FOUND, HttpServletResponse.SC_NOT_FOUND),
                    Map.entry(ErrorCode.CONFLICT, HttpServletResponse.SC_CONFLICT),
                    Map.entry(ErrorCode.ALREADY_EXISTS, HttpServletResponse.SC_CONFLICT),
                    Map.entry(ErrorCode.RESOURCE_EXHAUSTED, 429),
                    unavailable(ErrorCode.GATEWAY_UNAVAILABLE),
                    unavailable(ErrorCode.JOURNAL_UNAVAILABLE),
                    unavailable(ErrorCode.POLICY_UNAVAILABLE),
                    unavailable(ErrorCode.KEYS_UNAVAILABLE));

    /** The view of the page that says why a request failed. */
    public record Problem(int status, String message, String back) {}

    private final transient Router router;
    private final transient Sessions sessions;
    private final transient Pages pages;
    private final transient Origins origins;
    private final transient StepUp stepUp;
    private final transient Resend resend;

    /** Creates the servlet. */
    public ConsoleServlet(
            Router router,
            Sessions sessions,
            Origins origins,
            BooleanSupplier passwords,
            Pages pages,
            Assets assets) {
        this.router = router;
        this.sessions = sessions;
        this.origins = origins;
        this.pages = pages;
        this.stepUp = new StepUp(sessions, passwords);
        this.resend = new Resend(router);
        router.open("GET", "/console/static/{file*}", assets::serve);
    }

    /**
     * While this bundle is replaced, a class that was not needed before cannot be loaded any more:
     * then the answer is a sentence that needs none.
     */
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try {
            answer(request, response);
        } catch (LinkageError | IllegalStateException gone) {
            LOG.warn("{} could not be answered: {}", request.getRequestURI(), gone.toString());
            if (!response.isCommitted()) {
                response.resetBuffer();
                response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
                response.setHeader("Retry-After", "1");
                response.setContentType("text/plain; charset=utf-8");
                response.getWriter().print("The console is being replaced; load this again.");
            }
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String nonce = SecurityHeaders.nonce();
        Optional<String> origin = origins.of(request);
        SecurityHeaders.set(response, nonce, origin.orElse("").startsWith("https://"));
        Optional<Router.Match> match = router.find(request.getMethod(), request.getRequestURI());
        Exchange bare = new Exchange(request, response, null, Map.of(), nonce, pages);
        Exchange exchange = bare;
        try {
            if (origin.isEmpty()) {
                unknownHost(bare);
                return;
            }
            Optional<AllowedHosts.Refusal> plain =
                    AllowedHosts.plainOverNetwork(RequestInfo.of(request));
            if (plain.isPresent()) {
                problem(bare, plain.get().status(), plain.get().reason());
                return;
            }
            Optional<Viewer> viewer =
                    match.isPresent() && isStatic(request)
                            ? Optional.empty()
                            : sessions.viewer(request);
            if (!isStatic(request)) {
                ConnectionCredential.record(
                        request, viewer.map(each -> each.session().sessionId()).orElse(""));
            }
            exchange =
                    new Exchange(
                            request,
                            response,
                            viewer.orElse(null),
                            match.map(Router.Match::segments).orElse(Map.of()),
                            nonce,
                            pages);
            answer(exchange, match, viewer, origin.get());
        } catch (PalyraException e) {
            problem(exchange, status(e.code()), e.getMessage());
        } catch (IllegalArgumentException e) {
            problem(exchange, HttpServletResponse.SC_BAD_REQUEST, e.getMessage());
        } catch (RuntimeException | LinkageError e) {
            LOG.error("{} {} could not be answered", request.getMethod(), path(request), e);
            problem(
                    exchange,
                    HttpServletResponse.SC_INTERNAL_SERVER_ERROR,
                    "The page could not be made; the log has the reason (palyra logs).");
        }
    }

    private static boolean isStatic(HttpServletRequest request) {
        return request.getRequestURI().startsWith("/console/static/");
    }

    /** A page of another name that leads here would have an origin of its own. */
    private static void unknownHost(Exchange exchange) throws IOException {
        problem(
                exchange,
                MISDIRECTED,
                "The console is not offered under the host '"
                        + Shown.text(Require.orEmpty(exchange.request().getHeader("Host")))
                        + "'. Open it under localhost, or name the host in publicUrls of"
                        + " palyra.console.");
    }

    private void answer(
            Exchange exchange, Optional<Router.Match> match, Optional<Viewer> viewer, String origin)
            throws IOException {
        HttpServletRequest request = exchange.request();
        if (match.isEmpty()) {
            boolean known = router.knows(request.getRequestURI());
            problem(
                    exchange,
                    known
                            ? HttpServletResponse.SC_METHOD_NOT_ALLOWED
                            : HttpServletResponse.SC_NOT_FOUND,
                    known
                            ? "This address takes no " + request.getMethod() + " request."
                            : "There is no page at this address.");
            return;
        }
        boolean bare = !match.get().open() && viewer.isEmpty();
        if (bare && isRead(request)) {
            signIn(exchange);
            return;
        }
        if (!isRead(request)) {
            OwnRequests.requireSameOrigin(request, origin);
            if (bare) {
                withoutSession(exchange, match.get());
                return;
            }
            match.get().before().handle(exchange);
            if (viewer.isPresent() && !OwnRequests.hasToken(exchange, viewer.get())) {
                otherSession(exchange, match.get(), viewer.get());
                return;
            }
        }
        boolean mayProve = viewer.isPresent() && !match.get().open() && !isRead(request);
        handle(exchange, match.get(), mayProve);
    }

    /** A change may need a factor, which then comes with the same request once more. */
    private void handle(Exchange exchange, Router.Match match, boolean mayProve)
            throws IOException {
        Exchange proven = exchange;
        try {
            proven = mayProve ? exchange.as(stepUp.proven(exchange)) : exchange;
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.UNAUTHENTICATED && e.code() != ErrorCode.RESOURCE_EXHAUSTED) {
                throw e;
            }
            stepUp.ask(exchange, e.getMessage());
            return;
        }
        try {
            match.handler().handle(proven);
        } catch (FactorNeededException e) {
            stepUp.ask(exchange, "");
        }
    }

    private static boolean isRead(HttpServletRequest request) {
        return request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
    }

    /** A page asked for without a session leads to the sign-in, and from there back. */
    private static void signIn(Exchange exchange) throws IOException {
        if (exchange.partial()) {
            problem(
                    exchange,
                    HttpServletResponse.SC_UNAUTHORIZED,
                    "Your session has ended; sign in again.");
            return;
        }
        exchange.seeOther(SIGN_IN + "?to=" + Exchange.encode(path(exchange.request())));
    }

    /** What a person sent is not thrown away: it can be sent again after a sign-in. */
    private void withoutSession(Exchange exchange, Router.Match match) throws IOException {
        if (exchange.request().getRequestURI().equals("/console/sign-out")) {
            exchange.seeOther(SIGN_IN);
            return;
        }
        if (!match.file()) {
            match.before().handle(exchange);
        }
        resend.ended(exchange, !match.file());
    }

    /** A page's own script learns the token of the session that came, for what it sends next. */
    private void otherSession(Exchange exchange, Router.Match match, Viewer viewer)
            throws IOException {
        if (match.open() || match.file()) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The request lacks the token of this session; load the page again and repeat"
                            + " what you did.");
        }
        exchange.response().setHeader(OwnRequests.TOKEN, viewer.csrf());
        resend.otherSession(exchange);
    }

    private static void problem(Exchange exchange, int status, String message) throws IOException {
        HttpServletResponse response = exchange.response();
        if (response.isCommitted()) {
            return; // a stream that ends says so itself
        }
        String said = Require.orEmpty(message);
        exchange.say(said);
        Problem problem = new Problem(status, said, "/console/");
        exchange.page(
                status,
                "Not possible",
                exchange.partial() ? "block/problem.jte" : "page/problem.jte",
                problem);
    }

    /** The address as it was asked for, without a host. */
    private static String path(HttpServletRequest request) {
        String query = request.getQueryString();
        return request.getRequestURI() + (query == null ? "" : "?" + query);
    }

    private static Map.Entry<ErrorCode, Integer> unavailable(ErrorCode code) {
        return Map.entry(code, HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    }

    private static int status(ErrorCode code) {
        return STATUS.getOrDefault(code, HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
    }
}
