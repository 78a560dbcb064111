package palyra.api.core.vault;

import palyra.api.Require;

/**
 * How the vault is doing.
 *
 * @param usable whether secrets can be had
 * @param problem why not, and what to do, one sentence; empty when it is usable
 * @param keySource where the master key comes from: {@code file}, {@code passphrase}, {@code
 *     systemd-credential}, {@code keychain}
 * @param keyVersion version of the master key in use; 0 when no key is present
 * @param secrets how many secrets are kept
 * @param pending secrets whose key is still wrapped by an older master key
 */
public record VaultStatus(
        boolean usable,
        String problem,
        String keySource,
        int keyVersion,
        long secrets,
        long pending) {
    /** Checks. */
    public VaultStatus {
        problem = Require.orEmpty(problem);
        keySource = Require.orEmpty(keySource);
    }
}
