package palyra.vault.internal;

import palyra.vault.internal.key.KeySettings;

/**
 * What an operator has set, checked.
 *
 * @param acceptState state that is accepted though the journal knows a newer one; empty for none
 */
record VaultSettings(KeySettings keys, String acceptState) {
    static VaultSettings of(VaultConfiguration configuration) {
        return new VaultSettings(
                new KeySettings(
                        configuration.keySource(),
                        configuration.keyFile(),
                        configuration.passphraseFrom(),
                        configuration.credential(),
                        configuration.keychainProgram(),
                        configuration.keychainService(),
                        configuration.keychainTimeoutMillis()),
                configuration.acceptState().strip());
    }
}
