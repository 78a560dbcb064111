/**
 * Figures: measured durations, a figure beside that of a peer, what it is to be, and the lines and
 * raw file that a run prints. Every benchmark reports by it.
 */
package palyra.bench.report;
