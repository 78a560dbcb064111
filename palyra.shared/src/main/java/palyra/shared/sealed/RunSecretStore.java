package palyra.shared.sealed;

import java.util.List;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.api.core.vault.SecretReach;
import palyra.api.core.vault.SecretRef;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.vault.LentSecrets;

/** Opens the secrets of runs. Thread-safe; each {@link RunSecrets} is for one thread. */
public final class RunSecretStore {
    private final Redactor redactor;
    private final Gate<Journal> journal;
    private final RunKeys keys;

    /** Creates a keeper; journal and keys are needed only when there is a secret. */
    public RunSecretStore(Redactor redactor, Gate<Journal> journal, Gate<Keys> keys) {
        this.redactor = redactor;
        this.journal = journal;
        this.keys = new RunKeys(journal, keys);
    }

    /** Returns what takes secrets out of texts. */
    public Redactor redactor() {
        return redactor;
    }

    /**
     * Returns the secrets of a run that may have records already.
     *
     * @param reach kept values that its texts are searched for; see {@link SecretReaches}
     */
    public RunSecrets of(String runId, SecretReach reach) {
        return new RunSecrets(runId, this, false, reach);
    }

    /**
     * Returns the secrets of a run that has no record yet.
     *
     * @param reach kept values that its texts are searched for; see {@link SecretReaches}
     */
    public RunSecrets ofNew(String runId, SecretReach reach) {
        return new RunSecrets(runId, this, true, reach);
    }

    List<SecretRef> lent(String runId) {
        return journal.call(j -> LentSecrets.of(j, runId));
    }

    RunKeys keys() {
        return keys;
    }

    List<TapeRecord> page(String runId, long afterSeq, int limit) {
        return journal.call(j -> j.tape(runId, afterSeq, limit));
    }
}
