import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.maven.cli.MavenCli;

/**
 * Builds with the Maven on the class path, as its own command line does: it reads the pom, the
 * settings and {@code .mvn} for each build, and runs the plugins that they name.
 */
final class WarmMaven {
    private WarmMaven() {}

    /** Takes the log, then the first words of each build. */
    public static void main(String[] arguments) throws Exception {
        Path project = Path.of("").toAbsolutePath();
        System.setProperty(MavenCli.MULTIMODULE_PROJECT_DIRECTORY, top(project).toString());
        String[] always = Arrays.copyOfRange(arguments, 1, arguments.length);
        WarmBuilds.serve(
                Path.of(arguments[0]),
                words ->
                        new MavenCli()
                                .doMain(
                                        Stream.of(always, words)
                                                .flatMap(Arrays::stream)
                                                .toArray(String[]::new),
                                        project.toString(),
                                        System.out,
                                        System.err));
    }

    /** The nearest folder with {@code .mvn}, which Maven's own script looks for. */
    private static Path top(Path project) {
        for (Path folder = project; folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve(".mvn"))) {
                return folder;
            }
        }
        return project;
    }
}
