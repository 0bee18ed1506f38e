// What a case leaves out keeps its value.
// expect: UNSAFE b0 (zero:
module top(input [1:0] s);
  reg y;
  always @* begin
    y = 0;
    unique case (s) 0: y = 0; 1: y = 0; 2: y = 1; endcase
  end
  zero: assert property (s == 2 || !y);
endmodule
