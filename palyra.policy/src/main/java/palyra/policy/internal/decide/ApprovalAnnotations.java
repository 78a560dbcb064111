package palyra.policy.internal.decide;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.approval.ApprovalScope;
import palyra.api.core.access.ApprovalTerms;
import palyra.policy.internal.cedar.Policy;

/** Reads from the annotations of forbids how people may lift them. */
final class ApprovalAnnotations {
    static final String APPROVAL = "approval";
    static final String APPROVERS = "approvers";
    static final String OTHERS = "others";
    static final String TTL = "ttl";
    static final String SCOPES = "scopes";
    static final String QUORUM = "quorum";
    static final String REMIND = "remind";
    static final String ESCALATE = "escalate";

    /** All of them but the one that makes a forbid liftable. */
    static final List<String> DETAILS =
            List.of(APPROVERS, OTHERS, TTL, SCOPES, QUORUM, REMIND, ESCALATE);

    private static final Set<String> DEFAULT_APPROVERS = Set.of("group:operator", "group:approver");
    private static final int MOST_QUORUM = 16;
    private static final long MOST_TTL_MILLIS = 365L * 86_400_000;
    private static final Pattern DURATION =
            Pattern.compile(
                    "(?:([0-9]{1,6})d)?(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,6})s)?");
    private static final long[] UNIT_MILLIS = {86_400_000, 3_600_000, 60_000, 1_000};
    private static final Pattern APPROVER =
            Pattern.compile("(group|user|device|service):[A-Za-z0-9._:@-]{1,120}");

    private ApprovalAnnotations() {}

    /** Returns whether people may lift a forbid. */
    static boolean liftable(Policy forbid) {
        return forbid.annotations().containsKey(APPROVAL);
    }

    /**
     * Returns the strictest of each part.
     *
     * @return empty when no person may lift all of them
     * @throws IllegalArgumentException when an annotation cannot be read
     */
    static Optional<ApprovalTerms> of(Collection<Policy> forbids) {
        Set<String> approvers = null;
        Set<ApprovalScope> scopes = null;
        boolean others = false;
        long ttl = Long.MAX_VALUE;
        int quorum = 1;
        long remind = 0;
        Set<String> escalateTo = null;
        for (Policy forbid : forbids) {
            Map<String, String> said = forbid.annotations();
            approvers = meet(approvers, approvers(said.get(APPROVERS)));
            scopes = meet(scopes, scopes(said.get(SCOPES)));
            others |= others(said.get(OTHERS));
            ttl = Math.min(ttl, ttl(said.get(TTL)));
            quorum = Math.max(quorum, quorum(said.get(QUORUM)));
            remind = Math.max(remind, remind(said.get(REMIND)));
            escalateTo = meet(escalateTo, escalateTo(said.get(ESCALATE)));
        }
        if (approvers == null) {
            return Optional.of(
                    new ApprovalTerms(
                            DEFAULT_APPROVERS,
                            false,
                            ttl(null),
                            EnumSet.of(ApprovalScope.ONCE),
                            1));
        }
        if (approvers.isEmpty()) {
            return Optional.empty();
        }
        Set<ApprovalScope> reach = scopes.isEmpty() ? EnumSet.of(ApprovalScope.ONCE) : scopes;
        return Optional.of(
                new ApprovalTerms(approvers, others, ttl, reach, quorum, remind, escalateTo));
    }

    private static <T> Set<T> meet(Set<T> before, Set<T> more) {
        if (before != null) {
            more.retainAll(before);
        }
        return more;
    }

    /** Reads one annotation; throws IllegalArgumentException with a sentence. */
    static void check(String name, String value) {
        switch (name) {
            case APPROVERS -> approvers(value);
            case OTHERS -> others(value);
            case TTL -> ttl(value);
            case SCOPES -> scopes(value);
            case QUORUM -> quorum(value);
            case REMIND -> remind(value);
            case ESCALATE -> escalateTo(value);
            default -> {}
        }
    }

    private static Set<String> approvers(String value) {
        return value == null ? new TreeSet<>(DEFAULT_APPROVERS) : people(APPROVERS, value);
    }

    private static Set<String> escalateTo(String value) {
        return value == null ? new TreeSet<>() : people(ESCALATE, value);
    }

    /** How long before the end; 0 means as usual. */
    private static long remind(String value) {
        return value == null ? 0 : duration(REMIND, value);
    }

    private static Set<String> people(String annotation, String value) {
        Set<String> approvers = new TreeSet<>();
        for (String name : words(value)) {
            if (!APPROVER.matcher(name).matches()) {
                throw bad(
                        annotation,
                        value,
                        "name groups and principals, such as \"group:approver,user:alice\"");
            }
            approvers.add(name);
        }
        return approvers;
    }

    private static boolean others(String value) {
        if (value == null) {
            return false;
        }
        return switch (value) {
            case "", "true" -> true;
            case "false" -> false;
            default -> throw bad(OTHERS, value, "use \"true\" or \"false\"");
        };
    }

    private static long ttl(String value) {
        if (value == null) {
            return ApprovalTerms.DEFAULT_TTL_MILLIS;
        }
        return duration(TTL, value);
    }

    private static long duration(String annotation, String value) {
        Matcher parts = DURATION.matcher(value);
        long millis = 0;
        if (parts.matches()) {
            for (int i = 0; i < UNIT_MILLIS.length; i++) {
                String part = parts.group(i + 1);
                millis += part == null ? 0 : Long.parseLong(part) * UNIT_MILLIS[i];
            }
        }
        if (millis < 1_000 || millis > MOST_TTL_MILLIS) {
            throw bad(
                    annotation,
                    value,
                    "use a time of up to 365 days, such as \"90s\", \"15m\", \"1h30m\" or \"7d\"");
        }
        return millis;
    }

    private static Set<ApprovalScope> scopes(String value) {
        Set<ApprovalScope> scopes = EnumSet.noneOf(ApprovalScope.class);
        if (value == null) {
            scopes.add(ApprovalScope.ONCE);
            return scopes;
        }
        for (String word : words(value)) {
            scopes.add(
                    Arrays.stream(ApprovalScope.values())
                            .filter(scope -> scope.name().toLowerCase(Locale.ROOT).equals(word))
                            .findFirst()
                            .orElseThrow(
                                    () ->
                                            bad(
                                                    SCOPES,
                                                    value,
                                                    "use some of once, session and timeboxed")));
        }
        return scopes;
    }

    private static int quorum(String value) {
        if (value == null) {
            return 1;
        }
        int quorum = value.matches("[0-9]{1,2}") ? Integer.parseInt(value) : 0;
        if (quorum < 1 || quorum > MOST_QUORUM) {
            throw bad(QUORUM, value, "use a number from 1 to " + MOST_QUORUM);
        }
        return quorum;
    }

    private static List<String> words(String value) {
        return Arrays.stream(value.split(",", -1)).map(String::strip).toList();
    }

    private static IllegalArgumentException bad(String name, String value, String remedy) {
        return new IllegalArgumentException(
                "The annotation @" + name + "(\"" + value + "\") cannot be read; " + remedy + ".");
    }
}
