package palyra.health.internal;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
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

/**
 * Decides who gets an answer, and how much of it. Thread-safe. In doubt (where the server listens
 * is not known, access control is away) a caller gets what a stranger gets, and a stranger gets no
 * more than names and states, on this machine only.
 */
@Component(
        service = {Doorkeeper.class, FindingSource.class},
        configurationPid = Doorkeeper.PID,
        immediate = true)
@Designate(ocd = HealthConfiguration.class)
public final class Doorkeeper implements FindingSource {
    static final String PID = "palyra.health";
    private static final Logger LOG = LoggerFactory.getLogger(Doorkeeper.class);
    private static final long ACCESS_WAIT_MILLIS = 500;
    private static final Pattern BEARER = Pattern.compile("(?i)bearer +([\\x21-\\x7e]{1,512})");
    private static final Map<String, String> CHALLENGE =
            Map.of("WWW-Authenticate", "Bearer realm=\"palyra\"");

    private final Gate<Access> access =
            new Gate<>("access control", ErrorCode.POLICY_UNAVAILABLE, ACCESS_WAIT_MILLIS);
    private volatile HealthSettings settings;
    private volatile Bindings bindings = Bindings.UNKNOWN;
    private HttpServiceRuntime runtime; // guarded by this: whose bindings those are

    /** Called by the component runtime. */
    @Activate
    public Doorkeeper(HealthConfiguration configuration) {
        this(HealthSettings.of(configuration));
    }

    Doorkeeper(HealthSettings settings) {
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
        bindings = Bindings.of(properties);
    }

    /** Called by the component runtime. */
    public synchronized void unbindRuntime(HttpServiceRuntime service) {
        if (runtime == service) { // a successor is bound before its predecessor goes
            runtime = null;
            bindings = Bindings.UNKNOWN;
        }
    }

    HealthSettings settings() {
        return settings;
    }

    /**
     * Decides about a request.
     *
     * @param action what a known caller must be permitted
     * @param anonymously whether callers on this machine get something without a token
     */
    Admission admit(Call call, String action, boolean anonymously) {
        Optional<Reply> objection = objection(call);
        if (objection.isPresent()) {
            return new Admission.Refused(objection.get());
        }
        boolean stranger =
                anonymously && call.isLocal() && bindings.reach() == Bindings.Reach.LOOPBACK;
        return call.credential()
                .map(credential -> identify(credential, action, stranger))
                .orElseGet(() -> stranger ? new Admission.Anonymous() : unidentified());
    }

    private Optional<Reply> objection(Call call) {
        if (!call.method().equals("GET") && !call.method().equals("HEAD")) {
            return refusal(
                    Reply.METHOD_NOT_ALLOWED, "Only GET and HEAD.", Map.of("Allow", "GET, HEAD"));
        }
        if (!isOurHost(call)) {
            return refusal(
                    Reply.MISDIRECTED,
                    "The request is addressed to another host; use localhost, or name the host in"
                            + " allowedHosts of palyra.health.",
                    Map.of());
        }
        boolean inTheOpen =
                !Addresses.isLoopback(call.localAddress())
                        || !Addresses.isLoopback(call.remoteAddress());
        return inTheOpen && !call.secure()
                ? refusal(Reply.DENIED, "Beyond this machine only over TLS.", Map.of())
                : Optional.empty();
    }

    /** A page of a stranger can make a browser ask us by name, but never by our own address. */
    private boolean isOurHost(Call call) {
        String host = Addresses.hostOf(call.host());
        return !host.isEmpty()
                && (Addresses.isLoopback(host)
                        || settings.allowedHosts().contains(host)
                        || Addresses.sameAddress(host, call.localAddress()));
    }

    private Admission identify(String header, String action, boolean stranger) {
        var matcher = BEARER.matcher(header.strip());
        if (!matcher.matches()) {
            return unidentified();
        }
        try {
            Credential token = new Credential.ApiToken(matcher.group(1));
            return access.call(a -> permit(a, token, action));
        } catch (PalyraException e) {
            return answer(e, stranger);
        } catch (RuntimeException e) {
            LOG.warn("Access control failed on a request for {}.", action, e);
            return undecided(stranger);
        }
    }

    private static Admission permit(Access access, Credential token, String action) {
        Principal principal = access.authenticate(token);
        access.authorizeRead(AccessRequest.of(principal, action, ""))
                .requireFor(action, System.currentTimeMillis());
        return new Admission.Known(principal.credentialId());
    }

    private static Admission answer(PalyraException refusal, boolean stranger) {
        if (refusal.code() == ErrorCode.UNAUTHENTICATED) {
            return unidentified();
        }
        if (refusal.code() == ErrorCode.DENIED) {
            return new Admission.Refused(
                    Reply.refusal(Reply.DENIED, "This token may not see that.", Map.of()));
        }
        return undecided(stranger);
    }

    /** Nobody can say who it is: a stranger, if strangers get anything. */
    private static Admission undecided(boolean stranger) {
        return stranger
                ? new Admission.Anonymous()
                : new Admission.Refused(
                        Reply.refusal(
                                Reply.UNAVAILABLE,
                                "Nobody can tell who asks now; try again.",
                                Map.of("Retry-After", "2")));
    }

    private static Admission unidentified() {
        return new Admission.Refused(
                Reply.refusal(
                        Reply.UNAUTHENTICATED,
                        "An API token is needed: Authorization: Bearer palyra_….",
                        CHALLENGE));
    }

    private static Optional<Reply> refusal(int status, String reason, Map<String, String> headers) {
        return Optional.of(Reply.refusal(status, reason, headers));
    }

    @Override
    public List<Finding> findings() {
        Bindings now = bindings;
        if (now.plainBeyond()) {
            return List.of(
                    finding(
                            Finding.Severity.ERROR,
                            "The HTTP server listens beyond this machine without TLS: "
                                    + String.join(", ", now.uris())
                                    + ".",
                            "Set org.apache.felix.http.host to 127.0.0.1, or set up TLS; until then"
                                    + " requests from elsewhere are refused."));
        }
        if (now.reach() == Bindings.Reach.BEYOND) {
            return List.of(
                    finding(
                            Finding.Severity.WARNING,
                            "The HTTP server can be reached from other machines: "
                                    + String.join(", ", now.uris())
                                    + ".",
                            "Every request needs an API token now, those of this machine too."));
        }
        return List.of();
    }

    private static Finding finding(Finding.Severity severity, String message, String remedy) {
        return new Finding(severity, "http", message, remedy);
    }
}
