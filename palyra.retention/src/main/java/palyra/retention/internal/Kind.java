package palyra.retention.internal;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.SettledKind;

/** What retention distinguishes, in the order in which a sweep goes through it. */
enum Kind {
    /** Payloads of streamed text. */
    TOKENS("streamed text of runs that ended", List.of()),
    /** Messages, answers and commands. */
    DELIVERIES(
            "settled messages, answers and commands",
            List.of(SettledKind.MESSAGE, SettledKind.ANSWER, SettledKind.COMMAND)),
    /** Approval requests and grants. */
    APPROVALS(
            "decided approval requests and ended grants",
            List.of(SettledKind.APPROVAL, SettledKind.GRANT)),
    /** All payloads of tapes. */
    TAPES("payloads of the tapes of runs that ended", List.of()),
    /** Payloads of recorded denials. */
    DENIALS("payloads of recorded denials", List.of());

    private final String removes;
    private final List<SettledKind> rows;

    Kind(String removes, List<SettledKind> rows) {
        this.removes = removes;
        this.rows = rows;
    }

    /** Returns what it removes, for people. */
    String removes() {
        return removes;
    }

    /** Returns the rows that it drops; empty for one that erases payloads. */
    List<SettledKind> rows() {
        return rows;
    }

    /** Returns what a plan counts. */
    String counted() {
        if (this == DENIALS) {
            return "records";
        }
        return rows.isEmpty() ? "runs" : "rows";
    }

    /** Returns the unit that its age is configured in. */
    TimeUnit unit() {
        return this == TOKENS ? TimeUnit.HOURS : TimeUnit.DAYS;
    }

    /** Returns its name in commands, events and metrics. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the kind of that name; INVALID_ARGUMENT otherwise. */
    static Kind of(String word) {
        for (Kind kind : values()) {
            if (kind.word().equals(word)) {
                return kind;
            }
        }
        throw new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                "Retention knows no kind '"
                        + word
                        + "'; choose tokens, deliveries, approvals, tapes or denials.");
    }
}
