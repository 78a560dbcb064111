/** The product as a whole process. */
package palyra.bench.process;
