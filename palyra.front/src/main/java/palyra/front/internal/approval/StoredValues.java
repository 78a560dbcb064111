package palyra.front.internal.approval;

import java.util.Locale;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalSubject;
import palyra.api.approval.GrantShape;
import palyra.api.approval.RiskLevel;

/** Parses stored values; an unknown one becomes the most restrictive value. Pure. */
final class StoredValues {
    private StoredValues() {}

    static ApprovalScope scope(String word) {
        return of(ApprovalScope.class, word, ApprovalScope.ONCE);
    }

    static GrantShape shape(String word) {
        return of(GrantShape.class, word, GrantShape.EXACT);
    }

    static RiskLevel risk(String word) {
        return of(RiskLevel.class, word, RiskLevel.CRITICAL);
    }

    static ApprovalSubject subject(String word) {
        return of(ApprovalSubject.class, word, ApprovalSubject.TOOL);
    }

    private static <E extends Enum<E>> E of(Class<E> type, String word, E otherwise) {
        for (E value : type.getEnumConstants()) {
            if (value.name().equals(word.toUpperCase(Locale.ROOT))) {
                return value;
            }
        }
        return otherwise;
    }
}
