package palyra.health.internal;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.servlet.runtime.HttpServiceRuntime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Credential;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.shared.gate.Gate;
import palyra.shared.http.Bearer;
import palyra.shared.http.ListenAddresses;
import palyra.shared.http.Reply;
import palyra.shared.http.RequestInfo;

/**
 * Decides whether a request gets an answer and with how much detail. Fails closed: without access
 * control, or while the listen addresses are unknown, a caller counts as anonymous, and an
 * anonymous caller gets names and states only, on this machine only. Thread-safe.
 */
@Component(
        service = {HttpAuthorizer.class, FindingSource.class},
        configurationPid = HttpAuthorizer.PID,
        immediate = true)
@Designate(ocd = HealthConfiguration.class)
public final class HttpAuthorizer implements FindingSource {
    static final String PID = "palyra.health";
    private static final Logger LOG = LoggerFactory.getLogger(HttpAuthorizer.class);
    private static final long ACCESS_WAIT_MILLIS = 500;

    private final Gate<Access> access =
            new Gate<>("access control", ErrorCode.POLICY_UNAVAILABLE, ACCESS_WAIT_MILLIS);
    private volatile HealthSettings settings;
    private volatile ListenAddresses addresses = ListenAddresses.UNKNOWN;
    private HttpServiceRuntime runtime; // guarded by this: it reported the addresses

    /** Called by the component runtime. */
    @Activate
    public HttpAuthorizer(HealthConfiguration configuration) {
        this(HealthSettings.of(configuration));
    }

    HttpAuthorizer(HealthSettings settings) {
        this.settings = settings;
    }

    /** Called by the component runtime. */
    @Modified
    public void modified(HealthConfiguration configuration) {
        settings = HealthSettings.of(configuration);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindAccess(Access service, Map<String, ?> properties) {
        access.add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindAccess(Access service) {
        access.remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            updated = "bindRuntime")
    public synchronized void bindRuntime(HttpServiceRuntime service, Map<String, ?> properties) {
        runtime = service;
        addresses = ListenAddresses.of(properties);
    }

    /** Called by the component runtime. */
    public synchronized void unbindRuntime(HttpServiceRuntime service) {
        if (runtime == service) { // a successor is bound before its predecessor goes
            runtime = null;
            addresses = ListenAddresses.UNKNOWN;
        }
    }

    HealthSettings settings() {
        return settings;
    }

    /**
     * Authorizes a request.
     *
     * @param action action that the caller's token must permit
     * @param allowsAnonymous whether callers on this machine get an answer without a token
     */
    Authorization authorize(RequestInfo request, String action, boolean allowsAnonymous) {
        Optional<Reply> refusal = refusal(request);
        if (refusal.isPresent()) {
            return new Authorization.Refused(refusal.get());
        }
        boolean anonymous =
                allowsAnonymous
                        && request.isLocal()
                        && addresses.reach() == ListenAddresses.Reach.LOOPBACK;
        return request.credential()
                .map(credential -> authenticate(credential, action, anonymous))
                .orElseGet(() -> anonymous ? new Authorization.Anonymous() : unauthenticated());
    }

    private Optional<Reply> refusal(RequestInfo request) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return refusal(
                    Reply.METHOD_NOT_ALLOWED, "Only GET and HEAD.", Map.of("Allow", "GET, HEAD"));
        }
        return settings.hosts()
                .refusal(request, PID)
                .map(refused -> Reply.refusal(refused.status(), refused.reason(), Map.of()));
    }

    private Authorization authenticate(String header, String action, boolean anonymous) {
        Optional<Credential.ApiToken> token = Bearer.token(header);
        if (token.isEmpty()) {
            return unauthenticated();
        }
        try {
            return access.call(a -> authorize(a, token.get(), action));
        } catch (PalyraException e) {
            return denial(e, anonymous);
        } catch (RuntimeException e) {
            LOG.warn("Access control failed on a request for {}.", action, e);
            return undecided(anonymous);
        }
    }

    private static Authorization authorize(Access access, Credential token, String action) {
        Principal principal = access.authenticate(token);
        access.authorizeRead(AccessRequest.of(principal, action, ""))
                .requireFor(action, System.currentTimeMillis());
        return new Authorization.Authenticated(principal.credentialId());
    }

    private static Authorization denial(PalyraException refusal, boolean anonymous) {
        if (refusal.code() == ErrorCode.UNAUTHENTICATED) {
            return unauthenticated();
        }
        if (refusal.code() == ErrorCode.DENIED) {
            return new Authorization.Refused(
                    Reply.refusal(
                            Reply.DENIED, "This token does not permit this request.", Map.of()));
        }
        return undecided(anonymous);
    }

    /** Access control gave no decision: the caller counts as anonymous where that is allowed. */
    private static Authorization undecided(boolean anonymous) {
        return anonymous
                ? new Authorization.Anonymous()
                : new Authorization.Refused(
                        Reply.refusal(
                                Reply.UNAVAILABLE,
                                "The caller cannot be authenticated now; try again.",
                                Map.of("Retry-After", "2")));
    }

    private static Authorization unauthenticated() {
        return new Authorization.Refused(
                Reply.refusal(
                        Reply.UNAUTHENTICATED,
                        "An API token is needed: Authorization: Bearer palyra_….",
                        Bearer.CHALLENGE));
    }

    private static Optional<Reply> refusal(int status, String reason, Map<String, String> headers) {
        return Optional.of(Reply.refusal(status, reason, headers));
    }

    @Override
    public List<Finding> findings() {
        ListenAddresses now = addresses;
        if (now.exposesPlainHttp()) {
            return List.of(
                    finding(
                            Finding.Severity.ERROR,
                            "The HTTP server accepts other machines without TLS: "
                                    + String.join(", ", now.uris())
                                    + ".",
                            "Set org.apache.felix.http.host to 127.0.0.1, or set up TLS; until then"
                                    + " requests from other machines are refused."));
        }
        if (now.reach() == ListenAddresses.Reach.NETWORK) {
            return List.of(
                    finding(
                            Finding.Severity.WARNING,
                            "The HTTP server can be reached from other machines: "
                                    + String.join(", ", now.uris())
                                    + ".",
                            "Every request now needs an API token, also from this machine."));
        }
        return List.of();
    }

    private static Finding finding(Finding.Severity severity, String message, String remedy) {
        return new Finding(severity, "http", message, remedy);
    }
}
