package palyra.vault.internal;

import java.util.Optional;
import palyra.api.Require;
import palyra.vault.internal.key.KeySettings;

/**
 * The vault's checked configuration.
 *
 * @param keys where the master key comes from
 * @param before the source that the vault was closed with before; empty when it did not change
 * @param acceptState state that is accepted though the journal knows a newer one; empty for none
 */
record VaultSettings(KeySettings keys, Optional<KeySettings> before, String acceptState) {
    VaultSettings {
        before.ifPresent(
                old ->
                        Require.that(
                                !old.source().equals(keys.source()),
                                "previousKeySource is '"
                                        + old.source()
                                        + "', as keySource is: it names the source that the vault"
                                        + " was closed with before"));
    }

    VaultSettings(KeySettings keys, String acceptState) {
        this(keys, Optional.empty(), acceptState);
    }

    static VaultSettings of(VaultConfiguration configuration) {
        String before = configuration.previousKeySource().strip();
        return new VaultSettings(
                keys(configuration.keySource(), configuration),
                before.isEmpty() ? Optional.empty() : Optional.of(keys(before, configuration)),
                configuration.acceptState().strip());
    }

    private static KeySettings keys(String source, VaultConfiguration configuration) {
        return new KeySettings(
                source,
                configuration.keyFile(),
                configuration.passphraseFrom(),
                configuration.credential(),
                configuration.keychainProgram(),
                configuration.keychainService(),
                configuration.keychainTimeoutMillis());
    }
}
