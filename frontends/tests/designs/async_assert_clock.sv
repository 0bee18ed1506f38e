// The reset counts at edges of the clock that is named, and statements in a process with it at these edges.
// options: --clock clk
// expect: SAFE b0 (low:
// expect: UNSAFE b1 (one:
module top(input clk, input rst_n, input d);
  reg q, r;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin q <= 0; r <= 0; end else begin q <= d; r <= d; end
  always @(posedge clk) if (rst_n) begin low: assert (q == r); one: assert (!q); end
  initial assume (!rst_n);
endmodule
