import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * Builds of one project, one after the other, in a JVM that stays: after the first few a build
 * takes a fraction of the time that a build tool takes to start. {@code palyra dev watch} runs it
 * by the JDK's source launcher, with the build tool on the class path.
 */
final class WarmBuilds {
    /** One way to build. */
    interface Tool {
        /**
         * Builds the project in the working folder; what is said goes to the standard streams.
         *
         * @return the exit code, 0 when it is built
         */
        int build(String[] words) throws Exception;
    }

    /** Answer to a build that this JVM cannot do; another process may. */
    private static final int UNABLE = 70;

    private static final PrintStream FAILURES = System.err;

    private WarmBuilds() {}

    /**
     * Builds once for each line of standard input, whose words are the tool's, and answers each by
     * a line with the exit code. Ends the process with its input: the one who asked is gone then.
     *
     * @param log file of what the latest build said
     */
    static void serve(Path log, Tool tool) throws IOException {
        PrintStream answers = System.out;
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        System.setIn(InputStream.nullInputStream());
        String question = questions.readLine();
        while (question != null) {
            answers.println(build(log, tool, question.strip().split(" +")));
            question = questions.readLine();
        }
        System.exit(0);
    }

    private static int build(Path log, Tool tool, String[] words) {
        try (PrintStream out = new PrintStream(log.toFile(), UTF_8)) {
            System.setOut(out);
            System.setErr(out);
            return tool.build(words);
        } catch (Exception | LinkageError e) {
            e.printStackTrace(FAILURES);
            return UNABLE;
        }
    }
}
