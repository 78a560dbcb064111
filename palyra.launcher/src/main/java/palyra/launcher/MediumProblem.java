package palyra.launcher;

import java.nio.file.Path;
import palyra.shared.files.MediumFailure;

/** Explains a start that fails because the storage of the state folder takes no writes. */
final class MediumProblem {
    private MediumProblem() {}

    /**
     * Returns the exception that ends the start: one about the storage when that is the cause, else
     * the given one.
     *
     * @param place folder that was to be written
     */
    static LaunchException or(ExitCode code, String message, Path place, Exception cause) {
        MediumFailure failure = MediumFailure.of(cause, place);
        if (failure != MediumFailure.NO_SPACE && failure != MediumFailure.READ_ONLY) {
            return new LaunchException(code, message, cause);
        }
        return new LaunchException(
                ExitCode.MEDIUM,
                "the gateway cannot start: "
                        + failure.words(place)
                        + ", where a start writes about 1 MiB. What was acknowledged is untouched; "
                        + failure.remedy()
                        + " (df -h "
                        + place
                        + " shows it), then run: palyra up",
                cause);
    }
}
