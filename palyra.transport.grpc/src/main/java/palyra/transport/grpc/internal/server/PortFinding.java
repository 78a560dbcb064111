package palyra.transport.grpc.internal.server;

import palyra.api.PalyraException;
import palyra.api.core.ops.Finding;

/** Says why the port is not open. */
final class PortFinding {
    private PortFinding() {}

    static Finding of(Throwable why) {
        return new Finding(
                Finding.Severity.ERROR,
                "grpc",
                sentence(why),
                "Correct the configuration " + GrpcConfiguration.PID + ".");
    }

    private static String sentence(Throwable why) {
        if (!(why instanceof PalyraException)) {
            return "The gRPC port cannot be opened: " + why + ".";
        }
        String words = why.getMessage();
        return (words.startsWith("gRPC") ? words : "gRPC: " + words)
                + (words.endsWith(".") ? "" : ".");
    }
}
