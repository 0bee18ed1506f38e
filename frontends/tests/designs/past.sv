// Values of earlier steps.
// expect: SAFE b0 (past1:
// expect: UNSAFE b1 (past2:
// expect: SAFE b2 (rose:
// expect: SAFE b3 (stable:
module top(input clk, input d);
  reg q = 0; reg [1:0] n = 0;
  always @(posedge clk) begin
    q <= d; if (n != 2) n <= n + 1;
    if (n == 2) begin
      past1: assert (q == $past(d));
      past2: assert (q == $past(d, 2));
      rose: assert (!$rose(q) || $past(d));
      stable: assert ($stable(q) || q != $past(q));
    end
  end
endmodule
