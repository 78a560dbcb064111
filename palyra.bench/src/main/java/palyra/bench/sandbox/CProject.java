package palyra.bench.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A project in C that make builds: as many files as are wanted, each with some functions. */
final class CProject {
    /** What builds it again. */
    static final String BUILD = "make -B -s";

    private static final int FUNCTIONS = 40;

    private CProject() {}

    /** Writes it into a folder. */
    static void write(Path folder, int files) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(
                folder.resolve("Makefile"),
                """
                program: $(patsubst %.c,%.o,$(wildcard *.c))
                	gcc -o $@ $^
                %.o: %.c
                	gcc -O2 -c -o $@ $<
                """);
        StringBuilder calls = new StringBuilder();
        for (int file = 0; file < files; file++) {
            Files.writeString(folder.resolve("f" + file + ".c"), functions(file));
            calls.append("  sum += f").append(file).append("_0(sum);\n");
        }
        Files.writeString(
                folder.resolve("main.c"), "int main() {\n  int sum = 1;\n" + calls + "}\n");
    }

    private static String functions(int file) {
        StringBuilder text =
                new StringBuilder("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n");
        for (int at = 0; at < FUNCTIONS; at++) {
            text.append(
                    """
                    int f%d_%d(int n) {
                      char text[64];
                      int sum = n;
                      for (int i = 0; i < n; i++) {
                        snprintf(text, sizeof text, "%%d-%%d", i, sum);
                        sum += (int) strlen(text) * atoi(text) %% 7;
                      }
                      return sum;
                    }
                    """
                            .formatted(file, at));
        }
        return text.toString();
    }
}
