package palyra.launcher;

import com.sun.security.auth.module.UnixSystem;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What the launcher would tell the framework and the JVM, from the launcher's own code. */
public record LaunchPlan(Map<String, String> framework, Map<String, String> system) {
    /** Prepares the state folder as a start would, and returns what the start would set. */
    public static LaunchPlan of(Path home, Path state, List<String> arguments) {
        try {
            Options options =
                    Options.parse(
                            arguments,
                            Map.of(
                                    "PALYRA_HOME", home.toString(),
                                    "PALYRA_STATE", state.toString()));
            int uid = Math.toIntExact(new UnixSystem().getUid());
            StateFolder folder = StateFolder.open(state, home, uid);
            folder.prepare();
            return new LaunchPlan(
                    FrameworkProperties.of(
                            options, folder, System.nanoTime(), System.currentTimeMillis()),
                    FrameworkProperties.system(options, folder));
        } catch (LaunchException e) {
            throw new IllegalStateException(e);
        }
    }
}
