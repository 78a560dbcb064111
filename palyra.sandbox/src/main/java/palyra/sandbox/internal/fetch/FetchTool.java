package palyra.sandbox.internal.fetch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.CallFacts;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressRequest.EgressLimits;
import palyra.api.core.egress.EgressResponse;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretRef;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.Capability;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.sandbox.internal.egress.Target;
import palyra.sandbox.internal.shape.FetchShape;
import palyra.shared.json.JsonFields;
import palyra.shared.vault.SecretUse;

/**
 * Fetches from the web through the one way out. What was decided on is what happens: a redirect is
 * followed within its scheme, host and port alone; any other one is shown to the model, whose next
 * call is decided on for itself. Nothing is cached.
 */
@Component(service = Tool.class)
public final class FetchTool implements ConfinedTool {
    static final String NAME = "palyra.http.fetch";

    private static final String EXECUTOR = "builtin";
    private static final int MOST_REDIRECTS = 5;
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private final EgressClient client;
    private final SecretSource secrets;
    private final ToolDescriptor descriptor;

    /** Creates the tool. */
    @Activate
    public FetchTool(@Reference EgressClient client, @Reference SecretSource secrets) {
        this.client = client;
        this.secrets = secrets;
        descriptor =
                new ToolDescriptor(
                        NAME,
                        "Fetches an http or https URL and returns status, some headers and the"
                                + " body. Use it to read pages, documents and interfaces of the web;"
                                + " what a build downloads belongs into a command that names hosts."
                                + " At most 262144 bytes of the body are returned, up to 2097152"
                                + " with max_bytes; it may take 60 s. A body that is not text is"
                                + " refused unless accept_binary is true. Redirects within the host"
                                + " are followed; one to another host is returned: call again with"
                                + " its location. Policy decides on each host, and a person may be"
                                + " asked. Nothing is cached."
                                + (secrets.available()
                                        ? " Put no secret into url, headers or body: name it in"
                                                + " secret_headers."
                                        : "")
                                + " Example: {\"url\":\"https://example.com/data.json\","
                                + "\"headers\":{\"Accept\":\"application/json\"}}",
                        """
                        {"type":"object","required":["url"],\
                        "properties":{\
                        "url":{"type":"string","description":"Absolute URL."},\
                        "method":{"type":"string","enum":["GET","HEAD","POST"],\
                        "description":"GET unless given."},\
                        "headers":{"type":"object","additionalProperties":{"type":"string"},\
                        "description":"Headers to send, each a text."},\
                        "body":{"type":"string","description":"Body of a POST."},\
                        "max_bytes":{"type":"integer","minimum":1,"maximum":2097152,\
                        "description":"Most bytes of the body to return; 262144 unless given."},\
                        "secret_headers":{"type":"object","additionalProperties":{"type":"string"},\
                        "description":"Headers whose value is a secret, as vault:SCOPE/KEY."},\
                        "accept_binary":{"type":"boolean",\
                        "description":"Return a body that is not text as base64."}}}""",
                        secrets.available()
                                ? Set.of(Capability.NETWORK, Capability.SECRETS_READ)
                                : Set.of(Capability.NETWORK),
                        false,
                        false,
                        TIMEOUT_MILLIS,
                        1_048_576);
    }

    @Override
    public ToolDescriptor descriptor() {
        return descriptor;
    }

    @Override
    public ToolExamination examine(ToolProposed proposed) {
        FetchInput input;
        try {
            input = FetchInput.read(fields(proposed.inputJson()));
        } catch (PalyraException e) {
            boolean denied = e.code() == ErrorCode.DENIED;
            return ToolExamination.refused(
                    denied ? "fetch.host_refused" : "fetch.invalid_input", e.getMessage());
        }
        if (!input.secretHeaders().isEmpty() && !secrets.available()) {
            return ToolExamination.refused(
                    "fetch.no_vault",
                    "Secrets were named, but this gateway has no vault; leave secret_headers out.");
        }
        return ToolExamination.facts(
                new CallFacts(
                        "",
                        "",
                        Set.of(),
                        0,
                        Set.of(input.target().host()),
                        Set.of(input.target().port()),
                        Set.of(input.method()),
                        Set.of(),
                        Set.of(),
                        new TreeSet<>(input.secretHeaders().values())),
                FetchShape.of(
                        NAME,
                        input.method(),
                        input.target(),
                        input.headers(),
                        input.secretHeaders(),
                        input.body().getBytes(StandardCharsets.UTF_8).length));
    }

    @Override
    public ConfinedResult run(ToolOrder order) throws InterruptedException {
        FetchInput input;
        String note;
        try {
            JsonFields fields = fields(order.invocation().inputJson());
            note = fields.note();
            input = FetchInput.read(fields);
        } catch (PalyraException e) {
            return failed("strict client=egress", e.getMessage());
        }
        String place = "none";
        try (EgressResponse response = send(order, input)) {
            place = response.address();
            return new ConfinedResult(
                    Outcome.SUCCEEDED,
                    ToolResult.of(FetchOutput.of(input, response, note)),
                    EXECUTOR,
                    enforcement(input, place),
                    "");
        } catch (PalyraException | IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException(e.getMessage());
            }
            return failed(enforcement(input, place), String.valueOf(e.getMessage()));
        }
    }

    private JsonFields fields(String json) {
        return JsonFields.ofToolInput(descriptor, json);
    }

    private static ConfinedResult failed(String enforcement, String message) {
        return new ConfinedResult(
                Outcome.FAILED, ToolResult.failed(message), EXECUTOR, enforcement, "");
    }

    private static String enforcement(FetchInput input, String address) {
        return "strict client=egress host="
                + input.target().host()
                + " address="
                + address
                + " port="
                + input.target().port();
    }

    private EgressResponse send(ToolOrder order, FetchInput input) {
        long end = order.invocation().deadlineMillis();
        Map<String, String> values = new HashMap<>();
        input.secretHeaders().forEach((name, ref) -> values.put(name, value(order, name, ref)));
        Target target = input.target();
        for (int followed = 0; ; followed++) {
            EgressResponse response = client.send(request(order, input, target, values, end));
            Optional<Target> next = next(input, target, response);
            if (next.isEmpty() || followed >= MOST_REDIRECTS) {
                return response;
            }
            response.close();
            target = next.get();
        }
    }

    /** A field of HTTP is text: the copy that it needs lives as long as the request. */
    private String value(ToolOrder order, String header, String reference) {
        ToolInvocation call = order.invocation();
        SecretUse use =
                new SecretUse(
                        call.principalId(),
                        order.groups(),
                        order.agentId(),
                        call.runId(),
                        call.callId(),
                        NAME,
                        SecretRef.parse(reference));
        try (Secret secret = secrets.lend(use)) {
            return secret.use(bytes -> FetchInput.field(bytes, header, reference));
        }
    }

    private static Optional<Target> next(FetchInput input, Target from, EgressResponse response) {
        List<String> location = response.headers().getOrDefault("location", List.of());
        boolean follows =
                REDIRECTS.contains(response.status())
                        && !input.method().equals("POST")
                        && location.size() == 1;
        return follows ? from.within(location.get(0)) : Optional.empty();
    }

    private static EgressRequest request(
            ToolOrder order,
            FetchInput input,
            Target target,
            Map<String, String> secretHeaders,
            long endMillis) {
        ToolInvocation call = order.invocation();
        EgressLimits usual = EgressLimits.DEFAULT;
        long left = Math.min(TIMEOUT_MILLIS, endMillis - System.currentTimeMillis());
        return new EgressRequest(
                new EgressContext(
                        call.principalId(),
                        order.groups(),
                        order.agentId(),
                        call.runId(),
                        call.callId(),
                        NAME),
                input.method(),
                target.text(),
                input.headers(),
                secretHeaders,
                input.body().getBytes(StandardCharsets.UTF_8),
                new EgressLimits(
                        usual.connectMillis(),
                        usual.responseMillis(),
                        (int) Math.max(1, left),
                        usual.idleMillis(),
                        Long.MAX_VALUE, // cut off at max_bytes, not refused
                        0,
                        Set.of(input.target().port())));
    }
}
