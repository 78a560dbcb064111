package palyra.shared.vault;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.JournalReader;
import palyra.api.core.journal.Operation;
import palyra.api.core.vault.SecretRef;

/**
 * The secrets that calls of a run were lent: documents of the journal, one for each run and secret,
 * written with the record of the use, so that what the run puts out later is searched for them also
 * after a restart. They hold names and no values. Pure but for the reading.
 */
public final class LentSecrets {
    /** Collection of the documents; a key is the run, a slash, and the name of the secret. */
    public static final String COLLECTION = "run_secrets_lent";

    private static final int PAGE = 100;
    private static final byte[] EMPTY = {'{', '}'};

    /** The id of a call begins with that of its run. */
    private static final Pattern CALL = Pattern.compile("([0-9A-HJKMNP-TV-Z]{26})\\..{1,128}");

    private LentSecrets() {}

    /**
     * Returns the record of a use; empty for a use outside of a run's call.
     *
     * @param callId call that uses the secret, as {@link SecretUse} names it
     */
    public static Optional<Operation> record(String callId, SecretRef ref) {
        Matcher call = CALL.matcher(callId);
        return call.matches()
                ? Optional.of(new Operation.PutDocument(COLLECTION, key(call.group(1), ref), EMPTY))
                : Optional.empty();
    }

    private static String key(String runId, SecretRef ref) {
        return prefix(runId) + ref;
    }

    private static String prefix(String runId) {
        return runId + "/";
    }

    /** Returns what calls of a run were lent, by name. */
    public static List<SecretRef> of(JournalReader journal, String runId) {
        List<SecretRef> lent = new ArrayList<>();
        String after = prefix(runId);
        List<Document> page;
        do {
            page = journal.documents(COLLECTION, after, PAGE);
            for (Document document : page) {
                after = document.key();
                if (!after.startsWith(prefix(runId))) {
                    return lent;
                }
                lent.add(SecretRef.parse(after.substring(prefix(runId).length())));
            }
        } while (page.size() == PAGE);
        return lent;
    }

    /** Returns what forgets a use, once the run has ended. */
    public static Operation forget(String runId, SecretRef ref) {
        return new Operation.DeleteDocument(COLLECTION, key(runId, ref));
    }
}
