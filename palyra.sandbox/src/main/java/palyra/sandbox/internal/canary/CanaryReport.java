package palyra.sandbox.internal.canary;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import palyra.api.core.access.Confinement.Tier;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;

/**
 * What came of one battery.
 *
 * @param id ULID
 * @param tier tier of the sandbox
 * @param executor its executor
 * @param fingerprint what it was, see {@code BackendStatus}
 * @param enforcement what it says that it enforces
 * @param atMillis unix time in milliseconds
 * @param results what was tried, in order
 * @param leftOut what could not be tried here, and why
 */
public record CanaryReport(
        String id,
        Tier tier,
        String executor,
        String fingerprint,
        String enforcement,
        long atMillis,
        List<ProbeResult> results,
        List<String> leftOut) {
    /** Prefix of the signed statement. */
    public static final String TAG = "palyra.sandbox.canary.v1\0";

    /** Begins the names of the commands that were tried in a sandbox that they share. */
    static final String SHARED = "session_";

    private static final int SHORT = 12;

    /** Checks and copies. */
    public CanaryReport {
        results = List.copyOf(results);
        leftOut = List.copyOf(leftOut);
    }

    /** How one command of a battery went. */
    public enum State {
        /** As it should. */
        HELD,
        /** Not as it should. */
        BROKEN,
        /** It got through, and the sandbox says itself that it does not enforce this here. */
        OPEN,
        /** The sandbox does not offer this mode. */
        NOT_OFFERED,
        /**
         * The sandbox refuses even the strictest mode here, and says why; nothing more was tried.
         */
        REFUSED
    }

    /**
     * One command of a battery.
     *
     * @param probe which
     * @param state how it went
     * @param detail one sentence; empty when it held
     */
    public record ProbeResult(String probe, State state, String detail) {}

    /** Returns whether nothing got out that should not, and everything worked that must. */
    public boolean passed() {
        return !results.isEmpty() && broken().isEmpty() && refusal().isEmpty();
    }

    /** Returns why the sandbox refuses by itself; empty when it does not. */
    public Optional<String> refusal() {
        return results.stream()
                .filter(one -> one.state() == State.REFUSED)
                .map(ProbeResult::detail)
                .findFirst();
    }

    /** Returns why commands of a session cannot share the sandbox; empty when they can. */
    public Optional<String> notShared() {
        List<ProbeResult> shared =
                results.stream().filter(one -> one.probe().startsWith(SHARED)).toList();
        if (shared.isEmpty()) {
            return Optional.of("It was not tested.");
        }
        return shared.stream()
                .filter(one -> one.state() == State.NOT_OFFERED)
                .map(ProbeResult::detail)
                .findFirst();
    }

    /** Returns what did not go as it should. */
    public List<ProbeResult> broken() {
        return results.stream().filter(one -> one.state() == State.BROKEN).toList();
    }

    /** Returns one sentence about the probes that failed or were refused; empty when none did. */
    public String cause() {
        List<ProbeResult> broken = broken();
        return broken.isEmpty()
                ? refusal().orElse("")
                : broken.size()
                        + " of "
                        + results.size()
                        + " tests failed, first "
                        + broken.get(0).probe()
                        + ": "
                        + broken.get(0).detail();
    }

    /** Returns the report as JSON. */
    public ObjectNode json() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("id", id);
        node.put("tier", tier.name());
        node.put("executor", executor);
        node.put("fingerprint", fingerprint);
        node.put("enforcement", enforcement);
        node.put("atMillis", atMillis);
        node.put("passed", passed());
        ArrayNode all = node.putArray("tried");
        for (ProbeResult one : results) {
            ObjectNode entry = all.addObject();
            entry.put("probe", one.probe());
            entry.put("state", one.state().name().toLowerCase(Locale.ROOT));
            if (!one.detail().isEmpty()) {
                entry.put("detail", one.detail());
            }
        }
        leftOut.forEach(node.putArray("leftOut")::add);
        return node;
    }

    /** Returns the signed bytes: the tag and the report as canonical JSON (RFC 8785). */
    public byte[] statement() {
        return (TAG + Jcs.text(json())).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns SHA-256 of the statement, lower-case hex. */
    public String sha256() {
        return Digests.sha256Hex(statement());
    }

    /** Returns how an enforcement string cites it. */
    public String citation() {
        return "canary=" + sha256().substring(0, SHORT) + "@" + atMillis;
    }
}
