package palyra.shared.approval;

import java.time.Instant;
import java.util.List;
import java.util.TreeSet;

/** The text, the same on every surface, that names the approvers of a request. Pure. */
public final class ApproverText {
    /** Longest text of {@link #words}, in characters; omitted approvers are counted. */
    public static final int MOST_CHARS = 200;

    private ApproverText() {}

    /** Returns whether those may answer now as well who are asked last. */
    public static boolean escalated(ApprovalRequestBody.Terms terms, long nowMillis) {
        return escalates(terms) && terms.escalateAtMillis() <= nowMillis;
    }

    private static boolean escalates(ApprovalRequestBody.Terms terms) {
        return !terms.escalateTo().isEmpty() && terms.escalateAtMillis() > 0;
    }

    /** Returns who may answer at a time: groups ({@code group:NAME}) and principals, sorted. */
    public static List<String> approvers(ApprovalRequestBody.Terms terms, long nowMillis) {
        TreeSet<String> all = new TreeSet<>(terms.approvers());
        if (escalated(terms, nowMillis)) {
            all.addAll(terms.escalateTo());
        }
        return List.copyOf(all);
    }

    /**
     * Returns who may answer and how many of them have to, such as {@code group:approver, user:ann;
     * 2 of them}: at most {@link #MOST_CHARS} characters. The names are as they are stored, so a
     * surface for terminals makes control characters visible.
     */
    public static String words(List<String> approvers, int quorum) {
        String many = quorum > 1 ? "; " + quorum + " of them" : "";
        int named = approvers.size();
        while (named > 0 && names(approvers, named).length() + many.length() > MOST_CHARS) {
            named--;
        }
        return names(approvers, named) + many;
    }

    private static String names(List<String> approvers, int named) {
        int rest = approvers.size() - named;
        if (named == 0) {
            return rest == 0 ? "" : rest + (rest == 1 ? " principal" : " principals");
        }
        String names = String.join(", ", approvers.subList(0, named));
        return rest == 0 ? names : names + ", " + rest + " more";
    }

    /**
     * Returns the same for a question, and from when on others may answer as well; for a text that
     * is kept while the question waits.
     */
    public static String words(ApprovalRequestBody.Terms terms, long nowMillis) {
        String now = words(approvers(terms, nowMillis), terms.quorum());
        return escalates(terms) && !escalated(terms, nowMillis)
                ? now
                        + "; from "
                        + Instant.ofEpochMilli(terms.escalateAtMillis())
                        + " on also "
                        + words(terms.escalateTo(), 1)
                : now;
    }
}
