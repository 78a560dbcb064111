package palyra.bench;

import palyra.bench.report.Report;

/** Some figures that are measured together. */
public interface Suite {
    /** Returns the name to ask for it by; a word before a dot asks for all that begin with it. */
    String name();

    /** Measures, and reports every figure as it is known. */
    void run(Setting setting, Report report) throws Exception;
}
