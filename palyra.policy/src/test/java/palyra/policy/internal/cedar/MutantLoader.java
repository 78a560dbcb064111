package palyra.policy.internal.cedar;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * The evaluator once more, with one source file changed. The change is made to the source, so the
 * code that ships knows nothing of it and pays nothing for it.
 */
final class MutantLoader extends ClassLoader {
    private static final String PACKAGE = "palyra.policy.internal.cedar.";
    private static final Path SOURCES =
            Path.of("src/main/java", PACKAGE.replace('.', '/')).toAbsolutePath();

    private final Map<String, byte[]> changed;

    /** The unchanged evaluator. */
    MutantLoader() {
        this(Map.of());
    }

    private MutantLoader(Map<String, byte[]> changed) {
        super(MutantLoader.class.getClassLoader());
        this.changed = changed;
    }

    static MutantLoader of(Mutants.Mutant mutant) throws IOException {
        Path file = SOURCES.resolve(mutant.file() + ".java");
        String source = Files.readString(file);
        Matcher place = Pattern.compile(pattern(mutant.from())).matcher(source);
        if (place.results().count() != 1) {
            throw new IllegalStateException(
                    "The mutant '" + mutant + "' fits no single place of " + file + " any more.");
        }
        String mutated = place.reset().replaceFirst(Matcher.quoteReplacement(mutant.to()));
        return new MutantLoader(compile(mutant, mutated));
    }

    /** Our answers, by the changed code. */
    @SuppressWarnings("unchecked")
    List<String> decide(Recorded recorded) throws ReflectiveOperationException {
        return (List<String>)
                loadClass(Replay.class.getName())
                        .getMethod("decide", String.class, String.class)
                        .invoke(null, recorded.est(), recorded.world());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PACKAGE)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] code = changed.get(name);
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (code == null) {
                code = in.readAllBytes();
            }
            return defineClass(name, code, 0, code.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /** A space stands for any white space; the formatter may also break a line behind a dot. */
    private static String pattern(String from) {
        StringBuilder pattern = new StringBuilder();
        for (char c : from.toCharArray()) {
            if (c == '.') {
                pattern.append("\\s*");
            }
            pattern.append(c == ' ' ? "\\s+" : Pattern.quote(String.valueOf(c)));
            if (c == '(') {
                pattern.append("\\s*");
            }
        }
        return pattern.toString();
    }

    private static Map<String, byte[]> compile(Mutants.Mutant mutant, String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        Map<String, ByteArrayOutputStream> out = new HashMap<>();
        JavaFileManager files =
                new ForwardingJavaFileManager<JavaFileManager>(
                        compiler.getStandardFileManager(problems, null, null)) {
                    @Override
                    public JavaFileObject getJavaFileForOutput(
                            Location where, String name, JavaFileObject.Kind kind, FileObject by) {
                        return new Output(name, out);
                    }
                };
        boolean compiled =
                compiler.getTask(
                                null,
                                files,
                                problems,
                                List.of("-proc:none", "-nowarn", "--release", "21"),
                                null,
                                List.of(new Source(mutant.file(), source)))
                        .call();
        if (!compiled) {
            throw new IllegalStateException(
                    "The mutant '" + mutant + "' does not compile: " + errors(problems));
        }
        Map<String, byte[]> classes = new HashMap<>();
        out.forEach((name, code) -> classes.put(name, code.toByteArray()));
        return classes;
    }

    private static String errors(DiagnosticCollector<JavaFileObject> problems) {
        return problems.getDiagnostics().stream()
                .filter(d -> d.getKind() == Diagnostic.Kind.ERROR)
                .map(d -> d.getMessage(null))
                .collect(Collectors.joining("; "));
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String file, String text) {
            super(URI.create("string:///" + file + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreErrors) {
            return text;
        }
    }

    private static final class Output extends SimpleJavaFileObject {
        private final String name;
        private final Map<String, ByteArrayOutputStream> out;

        Output(String name, Map<String, ByteArrayOutputStream> out) {
            super(URI.create("mem:///" + name.replace('.', '/') + ".class"), Kind.CLASS);
            this.name = name;
            this.out = out;
        }

        @Override
        public OutputStream openOutputStream() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            out.put(name, bytes);
            return bytes;
        }
    }
}
