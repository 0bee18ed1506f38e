// Asynchronous set and reset, and a clocked register that sees them between edges.
// expect: SAFE b0 (cleared:
// expect: UNSAFE b1 (isset:
module top(input clk, input rst, input set, input d);
  reg q = 0;
  always @(posedge clk or posedge rst or posedge set) if (rst) q <= 0; else if (set) q <= 1; else q <= d;
  cleared: assert property (!rst || !q); isset: assert property (!set || q);
endmodule
