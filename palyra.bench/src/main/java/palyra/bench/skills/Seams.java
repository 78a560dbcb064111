package palyra.bench.skills;

import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Access;
import palyra.api.core.journal.Journal;
import palyra.api.core.vault.Vault;
import palyra.shared.gate.Gate;
import palyra.shared.vault.SecretLender;
import palyra.skills.internal.host.Denials;
import palyra.skills.internal.host.HostSeams;
import palyra.skills.internal.host.MemoryStorage;

/** Neighbours of host functions: there is storage in memory, and nothing else. */
final class Seams {
    private static final Gate<Access> ACCESS =
            new Gate<>("access", ErrorCode.POLICY_UNAVAILABLE, 0);
    private static final Gate<Journal> JOURNAL =
            new Gate<>("journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private static final HostSeams NOTHING =
            new HostSeams(
                    () -> {
                        throw new PalyraException(
                                ErrorCode.TOOL_UNAVAILABLE, "Benchmarks have no way out.");
                    },
                    new SecretLender(
                            ACCESS, new Gate<Vault>("vault", ErrorCode.KEYS_UNAVAILABLE, 0)),
                    ACCESS,
                    JOURNAL,
                    new MemoryStorage(),
                    new Denials(JOURNAL),
                    channel -> Optional.empty());

    private Seams() {}

    /** Returns them with nothing stored. */
    static HostSeams empty() {
        return NOTHING.with(new MemoryStorage());
    }
}
