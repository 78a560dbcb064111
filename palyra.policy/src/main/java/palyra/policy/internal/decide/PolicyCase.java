package palyra.policy.internal.decide;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision.Outcome;
import palyra.policy.internal.cedar.value.EntityUid;

/**
 * An example that must hold.
 *
 * @param name what it is called
 * @param request the policy request
 * @param expected what must be answered
 * @param policies by {@code @id} those that must determine it; null when that does not matter
 * @param tier kind of sandbox that must be asked for, as an annotation says it; empty when that
 *     does not matter
 * @param egress egress mode that must be asked for; empty when that does not matter
 */
record PolicyCase(
        String name,
        PolicyRequest request,
        Outcome expected,
        Set<String> policies,
        String tier,
        String egress) {
    private static final String TOOL = "tool.execute";

    /** Returns whether a confinement is the one that must be asked for. */
    boolean confinedBy(Confinement confinement) {
        return (tier.isEmpty() || tier.equals(word(confinement.tier())))
                && (egress.isEmpty() || egress.equals(word(confinement.egress())));
    }

    /** Returns how a file says it. */
    static String word(Enum<?> part) {
        return part.name().toLowerCase(Locale.ROOT);
    }

    /** The principal of a case. */
    record Asker(String id, PrincipalKind kind, Set<String> groups) {
        Principal principal(String credentialId, Set<String> scopes) {
            return new Principal(id, kind, groups, scopes, credentialId);
        }
    }

    /**
     * Reads one.
     *
     * @param number what it is called when it has no name
     * @throws IllegalArgumentException with a sentence that names the place
     */
    static PolicyCase read(JsonNode node, String number) {
        String name =
                node.path("name").isTextual()
                        ? "case \"" + node.path("name").textValue() + "\""
                        : "case " + number;
        CaseFields fields =
                new CaseFields(
                        node,
                        name,
                        "name",
                        "principal",
                        "action",
                        "resource",
                        "context",
                        "expect",
                        "policies",
                        "tier",
                        "egress");
        Asker asker = asker(fields);
        String action = fields.required("action");
        PolicyRequest request =
                action.equals(TOOL)
                        ? ToolCase.read(fields, asker)
                        : ActionCase.read(fields, asker, action);
        return new PolicyCase(
                fields.text("name", number),
                request,
                expected(fields),
                fields.has("policies") ? new TreeSet<>(fields.texts("policies")) : null,
                confinement(fields, "tier", Confinement.Tier.values()),
                confinement(fields, "egress", Confinement.Egress.values()));
    }

    private static String confinement(CaseFields fields, String name, Enum<?>... known) {
        String word = fields.text(name, "");
        if (!word.isEmpty() && Arrays.stream(known).noneMatch(each -> word(each).equals(word))) {
            throw fields.refused("\"" + name + "\" is \"" + word + "\", which is not known");
        }
        return word;
    }

    private static Outcome expected(CaseFields fields) {
        String expected = fields.required("expect");
        for (Outcome outcome : Outcome.values()) {
            if (said(outcome).equals(expected)) {
                return outcome;
            }
        }
        throw fields.refused("\"expect\" is \"" + expected + "\"; use allow, deny or ask");
    }

    /** Returns how a file says it. */
    static String said(Outcome outcome) {
        return switch (outcome) {
            case ALLOW -> "allow";
            case ALLOW_IF_APPROVED -> "ask";
            case DENY -> "deny";
        };
    }

    private static Asker asker(CaseFields fields) {
        if (fields.get("principal").isTextual()) {
            String id = fields.required("principal");
            return new Asker(id, kind(fields, PrincipalEntities.uid(id).type()), Set.of());
        }
        if (!fields.has("principal")) {
            throw fields.refused("\"principal\" is missing");
        }
        CaseFields principal =
                new CaseFields(
                        fields.get("principal"), fields.place("principal"), "type", "id", "groups");
        String id = principal.required("id");
        EntityUid usual = PrincipalEntities.uid(id);
        String type = principal.text("type", usual.type());
        return new Asker(id, kind(principal, type), principal.texts("groups"));
    }

    private static PrincipalKind kind(CaseFields fields, String type) {
        return switch (type) {
            case "User" -> PrincipalKind.USER;
            case "Device" -> PrincipalKind.DEVICE;
            case "Service" -> PrincipalKind.SERVICE;
            case "System" -> PrincipalKind.SYSTEM;
            default ->
                    throw fields.refused(
                            "the type \""
                                    + type
                                    + "\" is not one of User, Device, Service, System");
        };
    }
}
