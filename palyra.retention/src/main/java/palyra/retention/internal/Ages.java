package palyra.retention.internal;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/** How long each kind is kept. Immutable. */
final class Ages {
    private final Map<Kind, Integer> ages = new EnumMap<>(Kind.class);

    Ages(RetentionConfiguration configuration) {
        this(
                configuration.tokenHours(),
                configuration.deliveryDays(),
                configuration.approvalDays(),
                configuration.tapeDays(),
                configuration.denialDays());
    }

    /** 0 keeps a kind for good. */
    Ages(int tokenHours, int deliveryDays, int approvalDays, int tapeDays, int denialDays) {
        ages.put(Kind.TOKENS, tokenHours);
        ages.put(Kind.DELIVERIES, deliveryDays);
        ages.put(Kind.APPROVALS, approvalDays);
        ages.put(Kind.TAPES, tapeDays);
        ages.put(Kind.DENIALS, denialDays);
    }

    /** Returns the age in the kind's unit; 0 keeps it for good. */
    int of(Kind kind) {
        return ages.get(kind);
    }

    /**
     * Returns the time before which a kind is removed, in unix milliseconds; empty when it is kept
     * for good.
     */
    OptionalLong before(Kind kind, long nowMillis) {
        int age = of(kind);
        return age == 0
                ? OptionalLong.empty()
                : OptionalLong.of(nowMillis - kind.unit().toMillis(age));
    }

    /** Returns the age in hours; null for a kind that is kept for good. */
    Long hours(Kind kind) {
        return of(kind) == 0 ? null : kind.unit().toHours(of(kind));
    }

    /** Returns the age for people. */
    String words(Kind kind) {
        int age = of(kind);
        String unit = kind == Kind.TOKENS ? "hour" : "day";
        return age == 0 ? "for good" : age + " " + unit + (age == 1 ? "" : "s");
    }
}
