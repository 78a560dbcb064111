package palyra.transport.openai.internal;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.Credential;
import palyra.shared.http.Bearer;
import palyra.shared.http.ConnectionCredential;
import palyra.shared.http.Reply;
import palyra.shared.http.RequestInfo;
import palyra.transport.openai.internal.http.BodyReader;
import palyra.transport.openai.internal.http.CallThread;
import palyra.transport.openai.internal.http.OpenCall;
import palyra.transport.openai.internal.http.OpenCalls;
import palyra.transport.openai.internal.http.RefusedException;

/**
 * {@code /v1/…}: finds out who asks and what, and answers on a thread of the request's own, so that
 * none of the server's threads waits for a run.
 */
class OpenAiServlet extends HttpServlet {
    static final String PID = "palyra.transport.openai";
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(OpenAiServlet.class);

    private final transient Seams seams;
    private final transient Supplier<Optional<OpenAiSettings>> settings;
    private final transient OpenCalls calls;
    private final transient RequestCounts counts;
    private final transient Requests requests;
    private final transient Face chat = new Chat();
    private final transient Face responses = new Responses();

    /** Creates a servlet; {@code settings} are empty while they are not usable. */
    OpenAiServlet(
            Seams seams,
            Supplier<Optional<OpenAiSettings>> settings,
            OpenCalls calls,
            RequestCounts counts) {
        this.seams = seams;
        this.settings = settings;
        this.calls = calls;
        this.counts = counts;
        requests = new Requests(seams);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Endpoint endpoint = Endpoint.of(Optional.ofNullable(request.getPathInfo()).orElse(""));
        OpenCall call = null;
        try {
            OpenAiSettings now = usable();
            refuseForeign(request, now);
            call = calls.open(ConnectionCredential.connection(request));
            authenticate(call, request);
            endpoint.require(request.getMethod());
            byte[] body =
                    request.getMethod().equals("POST")
                            ? BodyReader.read(request, now.bounds())
                            : new byte[0];
            begin(new Work(call, endpoint, now, request, response, new AtomicReference<>(body)));
        } catch (RefusedException e) {
            refuse(e, endpoint, call, response);
        } catch (PalyraException e) {
            refuse(RefusedException.of(e), endpoint, call, response);
        } catch (RuntimeException | LinkageError e) {
            LOG.error("A request could not be answered.", e);
            refuse(RefusedException.internal(), endpoint, call, response);
        }
    }

    private void refuse(
            RefusedException e, Endpoint endpoint, OpenCall call, HttpServletResponse response)
            throws IOException {
        if (call != null) {
            calls.close(call);
        }
        counts.count(endpoint.kind().label(), e.status());
        e.reply().send(false, response);
    }

    private OpenAiSettings usable() {
        return settings.get()
                .filter(OpenAiSettings::enabled)
                .orElseThrow(
                        () ->
                                RefusedException.notFound(
                                        "server_off",
                                        "",
                                        "The OpenAI-compatible server of this gateway is off; set"
                                                + " enabled of palyra.transport.openai."));
    }

    private static void refuseForeign(HttpServletRequest request, OpenAiSettings now) {
        now.hosts()
                .refusal(RequestInfo.of(request), PID)
                .ifPresent(
                        refusal -> {
                            throw new RefusedException(
                                    refusal.status(),
                                    "invalid_request_error",
                                    "not_accepted",
                                    "",
                                    refusal.reason(),
                                    Map.of("Connection", "close"));
                        });
    }

    private void authenticate(OpenCall call, HttpServletRequest request) {
        try {
            Credential.ApiToken token =
                    RequestInfo.of(request)
                            .credential()
                            .flatMap(Bearer::token)
                            .orElseThrow(RefusedException::unauthenticated);
            Principal principal = seams.access().call(access -> access.authenticate(token));
            ConnectionCredential.record(request, principal.credentialId());
            calls.admit(call, principal, token);
        } catch (RefusedException | PalyraException e) {
            if (call.principal() == null) {
                ConnectionCredential.record(request, "");
            }
            throw e;
        }
    }

    /**
     * One request, until it is answered.
     *
     * @param body what was sent, until it is read; null after
     */
    private record Work(
            OpenCall call,
            Endpoint endpoint,
            OpenAiSettings settings,
            HttpServletRequest request,
            HttpServletResponse response,
            AtomicReference<byte[]> body) {}

    private void begin(Work work) {
        AsyncContext async = work.request().startAsync();
        async.setTimeout(0); // the bounds of calls count
        CallThread.start(
                "palyra-openai-call",
                () -> {
                    try {
                        answer(work);
                    } finally {
                        calls.close(work.call());
                        async.complete();
                    }
                });
    }

    private void answer(Work work) {
        int status = Reply.OK;
        try {
            dispatch(work);
        } catch (RefusedException e) {
            status = send(e, work);
        } catch (PalyraException e) {
            status = send(RefusedException.of(e), work);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.debug("A client left before its answer.", e);
            status = 499;
        } catch (RuntimeException | LinkageError e) {
            LOG.error("A request could not be answered.", e);
            status = send(RefusedException.internal(), work);
        }
        counts.count(work.endpoint().kind().label(), status);
    }

    private static int send(RefusedException refusal, Work work) {
        try {
            if (!work.response().isCommitted()) {
                work.call().send(refusal.reply(), work.response());
            }
        } catch (IOException e) {
            LOG.debug("A client left before its answer.", e);
        }
        return refusal.status();
    }

    private void dispatch(Work work) throws IOException, InterruptedException {
        Principal caller = work.call().principal();
        String id = work.endpoint().id();
        switch (work.endpoint().kind()) {
            case MODELS -> send(Reply.json(Reply.OK, requests.models().list(caller)), work);
            case MODEL -> send(Reply.json(Reply.OK, requests.models().one(caller, id)), work);
            case CHAT -> run(chat, work);
            case RESPONSES -> run(responses, work);
            case RESPONSE -> send(Reply.json(Reply.OK, requests.response(caller, id)), work);
            case CANCEL -> send(Reply.json(Reply.OK, requests.cancel(caller, id)), work);
            case UNKNOWN -> throw new IllegalStateException("refused before");
        }
    }

    private static void send(Reply reply, Work work) throws IOException {
        work.call().send(reply, work.response());
    }

    private void run(Face face, Work work) throws IOException, InterruptedException {
        requests.answer(work.call(), accept(face, work), work.settings(), work.response());
    }

    /** What the client sent is held by this method alone, not while its run goes on. */
    private Requests.Going accept(Face face, Work work) {
        Requests.Message message =
                Requests.Message.of(
                        face,
                        work.request(),
                        work.body().getAndSet(null),
                        work.settings().conversation().sessionHeaders());
        return requests.accept(work.call(), message, work.settings(), work.response());
    }
}
