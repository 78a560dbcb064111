package palyra.vault.internal.key;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.shared.files.DurableFiles;
import palyra.vault.internal.crypto.Aead;
import palyra.vault.internal.key.SuppliedSource.Way;

/**
 * Where the master key comes from, checked.
 *
 * @param source {@code file}, {@code passphrase}, {@code systemd-credential} or {@code keychain}
 * @param keyFile the file of the source {@code file}, relative to the state folder; empty for
 *     {@code keys/vault-master.key}
 * @param passphraseFrom {@code file:PATH}, {@code fd:NUMBER}, {@code credential:NAME} or {@code
 *     env-file:VARIABLE}, which names a variable that names a file
 * @param credential name of the credential of the source {@code systemd-credential}
 * @param keychainProgram program of the source {@code keychain}; empty for the system's own
 * @param keychainService name under which it files keys
 * @param keychainMillis how long that program may take
 */
public record KeySettings(
        String source,
        String keyFile,
        String passphraseFrom,
        String credential,
        String keychainProgram,
        String keychainService,
        int keychainMillis) {
    /** Every source. */
    public static final List<String> SOURCES =
            List.of("file", "passphrase", "systemd-credential", "keychain");

    private static final String NAME = "[A-Za-z0-9._-]{1,100}";

    /** Checks. */
    public KeySettings {
        Require.that(SOURCES.contains(source), "keySource is '" + source + "': one of " + SOURCES);
        Require.that(
                !source.equals("passphrase")
                        || passphraseFrom.matches(
                                "file:.+|fd:[0-9]{1,4}|credential:" + NAME + "|env-file:" + NAME),
                "passphraseFrom is file:PATH, fd:NUMBER, credential:NAME or env-file:VARIABLE;"
                        + " a configuration never holds the passphrase itself");
        Require.that(credential.matches(NAME), "credential is the name of a credential");
        Require.that(keychainService.matches(NAME), "keychainService is a name");
    }

    /**
     * Returns the source.
     *
     * @param environment variables of the process
     */
    public MasterKeySource open(
            Path state, Map<String, String> environment, DurableFiles files, Aead aead) {
        return switch (source) {
            case "passphrase" -> passphrase(state, environment);
            case "systemd-credential" ->
                    new SuppliedSource(
                            source, false, Way.CREDENTIAL, credential(environment, credential));
            case "keychain" -> new KeychainSource(keychain(), aead);
            default -> new FileSource(keyFile(state), files, aead);
        };
    }

    private Path keyFile(Path state) {
        return state.resolve(keyFile.isBlank() ? "keys/vault-master.key" : keyFile);
    }

    private MasterKeySource passphrase(Path state, Map<String, String> environment) {
        String kind = passphraseFrom.substring(0, passphraseFrom.indexOf(':'));
        String place = passphraseFrom.substring(kind.length() + 1);
        return switch (kind) {
            case "fd" ->
                    new SuppliedSource(
                            source, true, Way.DESCRIPTOR, Path.of("/dev/fd").resolve(place));
            case "credential" ->
                    new SuppliedSource(
                            source, true, Way.CREDENTIAL, credential(environment, place));
            case "env-file" ->
                    new SuppliedSource(
                            source, true, Way.FILE, Path.of(variable(environment, place)));
            default -> new SuppliedSource(source, true, Way.FILE, state.resolve(place));
        };
    }

    private static Path credential(Map<String, String> environment, String name) {
        return Path.of(variable(environment, "CREDENTIALS_DIRECTORY")).resolve(name);
    }

    private static String variable(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "");
        if (value.isBlank()) {
            throw new PalyraException(
                    ErrorCode.KEYS_UNAVAILABLE,
                    "The vault's key is to be found by the variable "
                            + name
                            + ", which is not set for the gateway.");
        }
        return value;
    }

    private Keychain keychain() {
        boolean mac = System.getProperty("os.name", "").startsWith("Mac");
        String usual = mac ? "/usr/bin/security" : "/usr/bin/secret-tool";
        String program = keychainProgram.isBlank() ? usual : keychainProgram;
        return new Keychain(program, keychainService, program.endsWith("security"), keychainMillis);
    }
}
