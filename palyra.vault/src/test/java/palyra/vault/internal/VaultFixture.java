package palyra.vault.internal;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretRef;
import palyra.shared.gate.Gate;
import palyra.testing.journal.MemoryJournal;
import palyra.vault.internal.key.KeySettings;
import palyra.vault.internal.known.KnownValues;

/** A vault on real files with a journal of its own; it can be closed and opened again. */
final class VaultFixture implements AutoCloseable {
    static final KeySettings FILE =
            new KeySettings("file", "", "", "palyra-vault-key", "", "palyra-vault", 5_000);

    final MemoryJournal journal;
    final FaultyMedium files = new FaultyMedium();
    final KnownValues known = new KnownValues();
    final VaultOpener opening;
    final VaultEvents records;
    final VaultCore core;
    final Rotation rotation;

    VaultFixture(Path state, MemoryJournal journal) {
        this(state, journal, new VaultSettings(FILE, ""), Map.of());
    }

    VaultFixture(
            Path state,
            MemoryJournal journal,
            VaultSettings settings,
            Map<String, String> environment) {
        this.journal = journal;
        Gate<Journal> gate = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
        gate.add(journal, Map.of());
        opening = new VaultOpener(state, settings, environment, files);
        records = new VaultEvents(gate);
        core = new VaultCore(opening, records, known, () -> 1_000, () -> {});
        rotation = new Rotation(core, records);
    }

    static SecretRef ref(String text) {
        return SecretRef.parse(text);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Permit permit(String action, String resource, long issuedAtMillis) {
        return new Permit(
                "permit-1",
                new Principal("user:anna", PrincipalKind.USER, Set.of("operator"), Set.of(), ""),
                action,
                resource,
                DecisionSource.POLICY,
                "",
                issuedAtMillis);
    }

    static Permit permit(String action, String resource) {
        return permit(action, resource, System.currentTimeMillis());
    }

    static Authorized authorized(String action, String resource) {
        return new Authorized(
                permit(action, resource),
                new Operation.Append("journal", "access_decision", 1, bytes("{}")));
    }

    void put(String name, String value) {
        put(name, bytes(value));
    }

    void put(String name, byte[] value) {
        SecretRef ref = ref(name);
        core.put(authorized("vault.put", ref.resource()), ref, value, -1);
    }

    boolean delete(String name) {
        return core.delete(authorized("vault.delete", ref(name).resource()), ref(name));
    }

    String get(String name) {
        try (Secret secret = core.get(permit("vault.get", ref(name).resource()), ref(name))) {
            return secret.use(bytes -> new String(bytes, StandardCharsets.UTF_8));
        }
    }

    /** Rotates to the end. */
    void rotate() {
        core.rotate(authorized("vault.rotate", SecretRef.PREFIX));
        while (rotation.step()) {
            // the rest
        }
    }

    @Override
    public void close() {
        core.end();
    }
}
