import aQute.bnd.build.Container;
import aQute.bnd.build.Project;
import aQute.bnd.build.Workspace;
import aQute.bnd.osgi.Processor;
import aQute.libg.command.Command;
import java.io.File;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Builds a project of a bnd workspace with the bnd on the class path, as {@code bnd compile} and
 * {@code bnd build} do. bnd says how to compile; the compiler runs in this JVM, where it is warm.
 */
final class WarmBnd {
    private WarmBnd() {}

    /** Takes the log. */
    public static void main(String[] arguments) throws Exception {
        File project = new File("").getAbsoluteFile();
        WarmBuilds.serve(Path.of(arguments[0]), words -> build(project));
    }

    /** The workspace is read again for each build, so that every change of it counts. */
    private static int build(File folder) throws Exception {
        try (Workspace workspace = new Workspace(folder.getParentFile())) {
            Project project = workspace.getProject(folder.getName());
            if (project == null) {
                System.err.println(folder + " is no project of a bnd workspace");
                return 1;
            }
            project.prepare();
            if (fails(workspace) || fails(project) || compile(project) != 0) {
                return 1;
            }
            project.build(false);
            return fails(workspace) || fails(project) ? 1 : 0;
        }
    }

    private static boolean fails(Processor processor) {
        processor.getWarnings().forEach(warning -> System.out.println("warning: " + warning));
        processor.getErrors().forEach(error -> System.out.println("error: " + error));
        return !processor.isOk();
    }

    private static int compile(Project project) throws Exception {
        List<String> sources = sources(project.getSourcePath());
        if (sources.isEmpty()) {
            return 0;
        }
        List<String> options = options(project);
        options.addAll(List.of("-d", project.getOutput().getAbsolutePath()));
        options.addAll(List.of("-classpath", paths(files(project.getBuildpath()))));
        options.addAll(List.of("-sourcepath", paths(project.getSourcePath())));
        options.addAll(sources);
        return ToolProvider.getSystemJavaCompiler()
                .run(null, System.out, System.err, options.toArray(String[]::new));
    }

    /** The options of bnd's own compile, after the program's name; bnd keeps them to itself. */
    private static List<String> options(Project project) throws Exception {
        Method common = Project.class.getDeclaredMethod("getCommonJavac", boolean.class);
        common.setAccessible(true);
        List<String> command = ((Command) common.invoke(project, false)).getArguments();
        return new ArrayList<>(command.subList(1, command.size()));
    }

    private static List<File> files(Collection<Container> path) throws Exception {
        return Container.flatten(path).stream().map(Container::getFile).toList();
    }

    private static String paths(Collection<File> files) {
        return files.stream().map(File::getAbsolutePath).collect(Collectors.joining(":"));
    }

    private static List<String> sources(Collection<File> folders) throws Exception {
        List<String> sources = new ArrayList<>();
        for (File folder : folders) {
            try (Stream<Path> files = Files.walk(folder.toPath())) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .map(file -> file.toAbsolutePath().toString())
                        .forEach(sources::add);
            }
        }
        return sources;
    }
}
