/** Calls of skills' modules beside other engines that run the same files. */
package palyra.bench.skills;
