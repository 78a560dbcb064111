/**
 * Calls that people are asked about: the question and what a person reads, the grants that cover a
 * call, the end of a question's time. The engine uses it; votes are counted in another bundle.
 */
package palyra.gateway.internal.approval;
