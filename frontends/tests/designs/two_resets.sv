// Asynchronous set and reset.
// expect: SAFE b0 (low:
// expect: UNSAFE b1 (three:
module top(input clk, input set, input clr, input d);
  reg q = 0; 
  always @(posedge clk or posedge clr or posedge set)
    if (clr) q <= 0; else if (set) q <= 1; else q <= d;
  low: assert property (!clr || !q);
  three: assert property (!set || q);
endmodule
