/** Policy decisions: the evaluator beside Cedar's own engines, and everything around it. */
package palyra.bench.policy;
