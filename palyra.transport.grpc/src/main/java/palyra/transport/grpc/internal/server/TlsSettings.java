package palyra.transport.grpc.internal.server;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import palyra.api.Require;

/**
 * Files of TLS.
 *
 * @param certificate chain of the server, PEM
 * @param privateKey its key, PEM
 * @param clientCa authorities of clients, PEM; empty unless clients are asked for certificates
 * @param clients whether they are
 */
public record TlsSettings(
        Path certificate, Path privateKey, Optional<Path> clientCa, Clients clients) {
    /** Whether clients show certificates. */
    public enum Clients {
        /** Never asked for. */
        NONE,
        /** Taken when shown. */
        WANTED,
        /** Needed to connect. */
        REQUIRED
    }

    /** Checks. */
    public TlsSettings {
        Require.present(certificate, "certificateFile");
        Require.present(privateKey, "privateKeyFile");
        Require.that(
                clientCa.isPresent() == (clients != Clients.NONE),
                "client certificates are verified with authorities, and only then");
    }

    /** Returns the settings; empty means no TLS. */
    static Optional<TlsSettings> of(GrpcConfiguration configuration, Path stateFolder) {
        Clients clients = clients(configuration.clientCertificates());
        Optional<Path> certificate = file(configuration.certificateFile(), stateFolder);
        Optional<Path> key = file(configuration.privateKeyFile(), stateFolder);
        Optional<Path> ca = file(configuration.clientCaFile(), stateFolder);
        Require.that(
                certificate.isPresent() == key.isPresent(),
                "TLS needs certificateFile and privateKeyFile: one of them is empty; set both or"
                        + " neither");
        Require.that(
                certificate.isPresent() || ca.isEmpty(),
                "clientCaFile is set without TLS; set certificateFile and privateKeyFile too");
        Require.that(
                ca.isPresent() || clients != Clients.REQUIRED,
                "clientCertificates is required, but clientCaFile is empty; say which authorities"
                        + " client certificates are verified with");
        boolean asked = ca.isPresent() && clients != Clients.NONE;
        return certificate.map(
                chain ->
                        new TlsSettings(
                                chain,
                                key.orElseThrow(),
                                asked ? ca : Optional.empty(),
                                asked ? clients : Clients.NONE));
    }

    private static Clients clients(String word) {
        return Stream.of(Clients.values())
                .filter(value -> value.name().toLowerCase(Locale.ROOT).equals(word.strip()))
                .findFirst()
                .orElseThrow(
                        () ->
                                new palyra.api.PalyraException(
                                        palyra.api.ErrorCode.INVALID_ARGUMENT,
                                        "clientCertificates is '"
                                                + word
                                                + "': use none, wanted or required"));
    }

    private static Optional<Path> file(String name, Path stateFolder) {
        return name.isBlank() ? Optional.empty() : Optional.of(stateFolder.resolve(name.strip()));
    }

    /** Returns every file. */
    List<Path> files() {
        return Stream.concat(Stream.of(certificate, privateKey), clientCa.stream()).toList();
    }
}
