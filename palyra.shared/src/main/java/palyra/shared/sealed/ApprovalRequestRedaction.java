package palyra.shared.sealed;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import palyra.api.core.vault.SecretRef;
import palyra.shared.secrets.PlaceholderNumbers;
import palyra.shared.secrets.SecretText;

/**
 * Takes secrets out of one approval request and records what it took, because the approver has to
 * know that something is hidden, and by whom. For one question and one thread.
 */
public final class ApprovalRequestRedaction {
    private final ReachRedactor redactor;
    private final PlaceholderNumbers numbers;
    private final Set<String> sources = new TreeSet<>();
    private final Set<String> kinds = new TreeSet<>();

    ApprovalRequestRedaction(ReachRedactor redactor, PlaceholderNumbers numbers) {
        this.redactor = redactor;
        this.numbers = numbers;
    }

    /** Returns a text as it is shown. */
    public String text(String text) {
        return redactor.text(text, numbers, note());
    }

    /** Returns a JSON text as it is shown. */
    public String json(String json) {
        return redactor.json(json, numbers, note());
    }

    private Consumer<SecretText.Taken> note() {
        return taken -> {
            if (taken.source().isEmpty()) {
                kinds.add(taken.kind());
            } else {
                sources.add(taken.source());
            }
        };
    }

    /**
     * Returns what was taken out so far, one phrase each; empty when nothing was.
     *
     * @param withNames whether every reader of the request may know names of secrets; else a value
     *     is named by its scope alone
     */
    public Set<String> notes(boolean withNames) {
        Set<String> notes = new TreeSet<>();
        for (String source : sources) {
            SecretRef ref = SecretRef.parse(source);
            notes.add(
                    withNames
                            ? "the secret " + ref.scope() + "/" + ref.key() + " of the vault"
                            : "a secret that the vault keeps in the scope " + ref.scope());
        }
        kinds.forEach(kind -> notes.add("text with the form of a secret (" + kind + ")"));
        return notes;
    }
}
