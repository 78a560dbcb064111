package palyra.launcher;

import java.nio.file.Path;
import palyra.shared.files.MediumFailure;

/** A start that the state folder's medium does not allow, said as such. */
final class MediumProblem {
    private MediumProblem() {}

    /**
     * Returns what ends the start: the medium's own reason when it is that, else what is given.
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
